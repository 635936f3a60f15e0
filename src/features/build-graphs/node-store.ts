import { sql, type ColumnType, type Insertable, type Selectable } from 'kysely';
import { stableId } from '#lib/ids.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { effortOf } from './effort.ts';
import { takeNumbers } from './graph-store.ts';
import type { PlannedNode } from './planner.ts';
import type { Effort, Risk } from './schema.ts';
import { storedList, storedOrigin, withNodeDocuments, type StoredOrigin } from './stored-columns.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    build_nodes: NodesTable;
    build_dependencies: DependenciesTable;
  }
}

type NodesTable = {
  id: string;
  graph_id: string;
  no: number;
  parent_no: number;
  parent_id: string | null;
  node_key: string;
  depth: number;
  sort_order: number;
  name: string;
  description: string;
  risk: Risk;
  risk_reasons: ColumnType<string[], string, string>;
  mitigations: ColumnType<string[], string, string>;
  node_status: 'collapsed' | 'leaf';
  effort: Effort;
  effort_edited: ColumnType<boolean, undefined, boolean>;
  days_low: number;
  days_high: number;
  waiting_low: number;
  waiting_high: number;
  waiting_for: string;
  acceptance_criteria: ColumnType<string[], string, string>;
  feature_ids: ColumnType<string[], string, string>;
  evidence_ids: ColumnType<string[], string, string>;
  origin: ColumnType<StoredOrigin, string, string>;
  expand_started_at: ColumnType<Date | null, undefined, Date | null>;
  expanded_at: ColumnType<Date | null, undefined, Date>;
  created_at: ColumnType<Date, undefined>;
  updated_at: ColumnType<Date, undefined, Date>;
};

type DependenciesTable = { graph_id: string; parent_no: number; node_no: number; needs_no: number; reason: string };

export type NodeRow = Selectable<NodesTable>;
export type DependencyRow = DependenciesTable;

/** A plan that points at nodes which are not there: nothing of it is written. */
export class InvalidPlan extends Error {
  override name = 'InvalidPlan';
}

/**
 * Writes planned nodes below a parent, or as roots, in their order; gives those that are new. A key the graph already has
 * is left as it is, so that writing the same plan again after a crash doubles nothing.
 * @throws InvalidPlan for a dependency on anything but an earlier node beside it
 */
export async function insertNodes(tx: Tx, graphId: string, parent: NodeRow | null, nodes: readonly PlannedNode[]): Promise<NodeRow[]> {
  const beside = await listBeside(tx, graphId, parent?.no ?? 0);
  const numbers = new Map(beside.map(({ node_key: key, no }) => [key, no]));
  const present = new Set(beside.map(({ node_key: key }) => key));
  const fresh = nodes.filter(({ key }) => !present.has(key));
  if (fresh.length === 0) return [];
  const before = await takeNumbers(tx, graphId, fresh.length);
  for (const [at, { key }] of fresh.entries()) numbers.set(key, before + at + 1);
  const edges = fresh.flatMap((node) => edgesOf(graphId, parent, node, numbers));
  const rows = await withNodeDocuments(tx)
    .insertInto('build_nodes')
    .values(fresh.map((node, at) => valuesOf(graphId, parent, node, { no: before + at + 1, place: beside.length + at })))
    .returningAll()
    .execute();
  if (edges.length > 0) await tx.insertInto('build_dependencies').values(edges).execute();
  return rows.sort((left, right) => left.no - right.no);
}

function edgesOf(graphId: string, parent: NodeRow | null, node: PlannedNode, numbers: ReadonlyMap<string, number>): DependencyRow[] {
  const own = numbers.get(node.key) ?? 0;
  return node.dependsOn.map(({ key, reason }) => {
    const needed = numbers.get(key);
    if (needed === undefined || needed >= own) throw new InvalidPlan(`"${node.key}" depends on "${key}", which is no earlier node beside it`);
    return { graph_id: graphId, parent_no: parent?.no ?? 0, node_no: own, needs_no: needed, reason };
  });
}

const valuesOf = (
  graphId: string,
  parent: NodeRow | null,
  node: PlannedNode,
  { no, place }: { no: number; place: number },
): Insertable<NodesTable> => ({
  id: stableId(`${graphId} ${node.key}`),
  graph_id: graphId,
  no,
  parent_no: parent?.no ?? 0,
  parent_id: parent?.id ?? null,
  node_key: node.key,
  depth: parent ? parent.depth + 1 : 0,
  sort_order: place,
  name: node.name,
  description: node.description,
  risk: node.risk,
  risk_reasons: storedList.write(node.riskReasons),
  mitigations: storedList.write(node.mitigations),
  node_status: node.expands === 'never' ? 'leaf' : 'collapsed',
  effort: effortOf(node.days),
  days_low: node.days.low,
  days_high: node.days.high,
  waiting_low: node.waiting?.days.low ?? 0,
  waiting_high: node.waiting?.days.high ?? 0,
  waiting_for: node.waiting?.for ?? '',
  acceptance_criteria: storedList.write(node.acceptance),
  feature_ids: storedList.write(node.featureIds),
  evidence_ids: storedList.write(node.evidenceIds),
  origin: storedOrigin.write({ ...node.origin, expands: node.expands }),
});

const listBeside = (tx: Tx, graphId: string, parentNo: number): Promise<{ node_key: string; no: number }[]> =>
  withNodeDocuments(tx)
    .selectFrom('build_nodes')
    .select(['node_key', 'no'])
    .where('graph_id', '=', graphId)
    .where('parent_no', '=', parentNo)
    .orderBy('no')
    .execute();

/** Every node of a graph, in the order in which siblings are shown. */
export async function listNodes(db: Db | Tx, graphId: string): Promise<NodeRow[]> {
  return withNodeDocuments(db)
    .selectFrom('build_nodes')
    .selectAll()
    .where('graph_id', '=', graphId)
    .orderBy('depth')
    .orderBy('sort_order')
    .orderBy('no')
    .execute();
}

export async function listDependencies(db: Db | Tx, graphId: string): Promise<DependencyRow[]> {
  return db.selectFrom('build_dependencies').selectAll().where('graph_id', '=', graphId).orderBy('node_no').orderBy('needs_no').execute();
}

/** What stands around a node: the names above it from the root, those beside it, and of these the ones that wait for it, directly or through others. */
export async function readAround(
  db: Db | Tx,
  node: Pick<NodeRow, 'graph_id' | 'parent_no' | 'no'>,
): Promise<{ path: string[]; dependents: string[]; beside: string[] }> {
  const above = await sql<{ name: string }>`
    with recursive above as (
      select no, parent_no, name, depth from build_nodes where graph_id = ${node.graph_id} and no = ${node.parent_no}
      union all
      select up.no, up.parent_no, up.name, up.depth from build_nodes up join above on up.graph_id = ${node.graph_id} and up.no = above.parent_no
    )
    select name from above order by depth`.execute(db);
  // `union` drops what was found before, so that it ends whatever the dependencies are.
  const waiting = await sql<{ name: string }>`
    with recursive waiting as (
      select node_no from build_dependencies
        where graph_id = ${node.graph_id} and parent_no = ${node.parent_no} and needs_no = ${node.no}
      union
      select dep.node_no from build_dependencies dep join waiting
        on dep.graph_id = ${node.graph_id} and dep.parent_no = ${node.parent_no} and dep.needs_no = waiting.node_no
    )
    select name from build_nodes where graph_id = ${node.graph_id} and parent_no = ${node.parent_no} and no in (select node_no from waiting) order by sort_order, no`.execute(
    db,
  );
  const beside = await sql<{ name: string }>`
    select name from build_nodes where graph_id = ${node.graph_id} and parent_no = ${node.parent_no} and no <> ${node.no} order by sort_order, no`.execute(
    db,
  );
  const names = ({ rows }: { rows: { name: string }[] }): string[] => rows.map(({ name }) => name);
  return { path: names(above), dependents: names(waiting), beside: names(beside) };
}

/** Nodes of one depth that the graph's own run takes apart and has not yet. */
export async function listToExpand(db: Db, graphId: string, depth: number): Promise<NodeRow[]> {
  const rows = await withNodeDocuments(db)
    .selectFrom('build_nodes')
    .selectAll()
    .where('graph_id', '=', graphId)
    .where('depth', '=', depth)
    .where('expanded_at', 'is', null)
    .orderBy('no')
    .execute();
  return rows.filter(({ origin }) => origin.expands === 'now');
}

export async function countRoots(tx: Tx, graphId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from build_nodes where graph_id = ${graphId} and depth = 0`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function findNode(db: Db | Tx, id: string): Promise<NodeRow | null> {
  return (await withNodeDocuments(db).selectFrom('build_nodes').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** A node of one of the caller's graphs. */
export async function findOwnedNode(db: Db | Tx, userId: string, id: string): Promise<NodeRow | null> {
  const row = await withNodeDocuments(db)
    .selectFrom('build_nodes')
    .innerJoin('build_graphs', 'build_graphs.id', 'build_nodes.graph_id')
    .selectAll('build_nodes')
    .where('build_nodes.id', '=', id)
    .where('build_graphs.user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** True for whoever begins to take the node apart; only then its start is told. */
export async function startExpanding(tx: Tx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update build_nodes set expand_started_at = clock_timestamp() where id = ${id} and expand_started_at is null and expanded_at is null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** True for whoever finished taking the node apart. Without children it turns out to be one piece of work. */
export async function finishExpanding(tx: Tx, id: string, children: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update build_nodes set expanded_at = clock_timestamp(), updated_at = clock_timestamp(),
      node_status = ${children > 0 ? 'collapsed' : 'leaf'}
    where id = ${id} and expanded_at is null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** After a failure the next try tells its start again. */
export async function resetExpanding(tx: Tx, id: string): Promise<void> {
  await sql`update build_nodes set expand_started_at = null where id = ${id} and expanded_at is null`.execute(tx);
}

export async function countChildren(tx: Tx, node: Pick<NodeRow, 'graph_id' | 'no'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from build_nodes where graph_id = ${node.graph_id} and parent_no = ${node.no}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export type NodeChange = {
  name?: string;
  description?: string;
  risk?: Risk;
  riskReasons?: string[];
  mitigations?: string[];
  sortOrder?: number;
  effort?: { effort: Effort; low: number; high: number };
};

/** Changes a node; whose it is was decided by whoever calls. */
export async function patchNode(db: Db | Tx, id: string, change: NodeChange): Promise<void> {
  await withNodeDocuments(db)
    .updateTable('build_nodes')
    .set({
      updated_at: sql<Date>`clock_timestamp()`,
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.description === undefined ? {} : { description: change.description }),
      ...(change.risk === undefined ? {} : { risk: change.risk }),
      ...(change.riskReasons === undefined ? {} : { risk_reasons: storedList.write(change.riskReasons) }),
      ...(change.mitigations === undefined ? {} : { mitigations: storedList.write(change.mitigations) }),
      ...(change.sortOrder === undefined ? {} : { sort_order: change.sortOrder }),
      ...(change.effort === undefined
        ? {}
        : { effort: change.effort.effort, effort_edited: true, days_low: change.effort.low, days_high: change.effort.high }),
    })
    .where('id', '=', id)
    .execute();
}
