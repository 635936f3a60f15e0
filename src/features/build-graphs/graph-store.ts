import { sql, type ColumnType, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import { RunFailure } from '#lib/run-failure.ts';
import { storedTexts } from '#platform/documents/stored-texts.ts';
import { storedRunError } from '#platform/runs/stored-run-error.ts';
import { SupersededError } from '#platform/streams/event-log.ts';
import type { Engine, GraphStatus, PlanError, SelectedFeature } from './schema.ts';
import { storedEngine, storedFeatures, withDocuments } from './stored-columns.ts';
import { MOST_NODES, MOST_PARTS } from './states.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    build_graphs: GraphsTable;
    build_graph_sources: SourcesTable;
    build_expansions: ExpansionsTable;
    build_plan_seeds: { research_id: string; graph_id: string | null };
  }
}

type GraphsTable = {
  id: string;
  user_id: string;
  project_id: string | null;
  research_id: string | null;
  feature_research_id: string | null;
  idea: string;
  title: string;
  status: ColumnType<GraphStatus, GraphStatus | undefined>;
  source: 'user' | 'research_auto_seeded';
  selected_features: ColumnType<SelectedFeature[], string, never>;
  engine: ColumnType<Engine | null, string | undefined, string>;
  error: ColumnType<PlanError | null, undefined, string>;
  warnings: ColumnType<string[], undefined, string>;
  repairs: ColumnType<number, number | undefined>;
  fallbacks: ColumnType<number, number | undefined>;
  last_no: ColumnType<number, undefined>;
  created_at: ColumnType<Date, undefined>;
  updated_at: ColumnType<Date, undefined, Date>;
  ready_at: ColumnType<Date | null, undefined, Date>;
  completed_at: ColumnType<Date | null, undefined, Date>;
};

type SourcesTable = {
  id: string;
  graph_id: string;
  research_id: string;
  link_type: 'context' | 'supplement' | 'external';
  created_at: ColumnType<Date, undefined>;
};

type ExpansionsTable = { id: string; graph_id: string; node_id: string; requested_at: ColumnType<Date, undefined> };

export type Graph = Selectable<GraphsTable>;
export type SourceLink = Selectable<SourcesTable>;

export type NewGraph = {
  id: string;
  userId: string;
  projectId: string | null;
  researchId: string | null;
  featureResearchId: string | null;
  idea: string;
  title: string;
  source: 'user' | 'research_auto_seeded';
  features: readonly SelectedFeature[];
};

export async function insertGraph(tx: Tx, graph: NewGraph, engine?: Engine): Promise<void> {
  await withDocuments(tx)
    .insertInto('build_graphs')
    .values({
      id: graph.id,
      user_id: graph.userId,
      project_id: graph.projectId,
      research_id: graph.researchId,
      feature_research_id: graph.featureResearchId,
      idea: graph.idea,
      title: graph.title,
      source: graph.source,
      selected_features: storedFeatures.write([...graph.features]),
      ...(engine ? { engine: storedEngine.write(engine) } : {}),
    })
    .execute();
}

export async function findOwnedGraph(db: Db | Tx, userId: string, id: string): Promise<Graph | null> {
  return (
    (await withDocuments(db).selectFrom('build_graphs').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()) ?? null
  );
}

/** For the worker, which acts for every owner. */
export async function findGraph(db: Db | Tx, id: string): Promise<Graph | null> {
  return (await withDocuments(db).selectFrom('build_graphs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The graph while its planning is to be worked. */
export async function findUnderWay(db: Db | Tx, id: string): Promise<Graph | null> {
  const graph = await findGraph(db, id);
  return graph && graph.status !== 'failed' && !graph.completed_at ? graph : null;
}

/** The same under its row lock: whoever ends or reopens a graph's stream decides one after the other. */
export async function lockGraph(tx: Tx, id: string): Promise<Graph | null> {
  return (await withDocuments(tx).selectFrom('build_graphs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null;
}

export type GraphItemRow = Graph & { node_count: number; expanded_count: number };

/** Newest first, with how many nodes each has and how many of them were taken apart. */
export async function listGraphs(
  db: Db,
  where: { userId: string; projectId?: string },
  page: { limit: number; offset: number },
): Promise<GraphItemRow[]> {
  const counted = (condition = sql`true`) =>
    sql<number>`(select count(*)::int from build_nodes n where n.graph_id = build_graphs.id and ${condition})`;
  let query = withDocuments(db)
    .selectFrom('build_graphs')
    .selectAll()
    .select([counted().as('node_count'), counted(sql`n.expanded_at is not null`).as('expanded_count')])
    .where('user_id', '=', where.userId);
  if (where.projectId) query = query.where('project_id', '=', where.projectId);
  return query.orderBy('created_at', 'desc').orderBy('id').limit(page.limit).offset(page.offset).execute();
}

/** How many graphs each of the projects has, for a page of projects at once. */
export async function countGraphsByProject(db: Db, projectIds: readonly string[]): Promise<Map<string, number>> {
  if (projectIds.length === 0) return new Map();
  const { rows } = await sql<{ projectId: string; count: number }>`
    select project_id as "projectId", count(*)::int as count from build_graphs
     where project_id = any(${[...projectIds]}::uuid[]) group by project_id`.execute(db);
  return new Map(rows.map(({ projectId, count }) => [projectId, count]));
}

export async function hasGraph(tx: Tx, projectId: string): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from build_graphs where project_id = ${projectId}) as any`.execute(tx);
  return rows[0]?.any ?? false;
}

/** The engine of a run: the one it began with, else the one given; with `replace`, the one given. */
export async function settleEngine(db: Db, id: string, engine: Engine, replace = false): Promise<Engine> {
  const given = sql`${storedEngine.write(engine)}::json`;
  const { rows } = await sql<{ engine: Engine }>`
    update build_graphs set engine = ${replace ? given : sql`coalesce(engine, ${given})`} where id = ${id} returning engine`.execute(
    withDocuments(db),
  );
  return rows[0]?.engine ?? engine;
}

/** Entering a stage: the row update that goes with the runner's own writes. */
export const enteringStage = (id: string) => sql`
  update build_graphs set status = case when status = 'initializing' then 'generating' else status end, updated_at = clock_timestamp()
  where id = ${id}`;

/** All roots exist. Gives the milliseconds since the graph was asked for; null when it was ready before. */
export async function markReady(tx: Tx, id: string): Promise<number | null> {
  const { rows } = await sql<{ ms: number }>`
    update build_graphs set status = 'ready', ready_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = ${id} and status in ('initializing', 'generating')
    returning round(extract(epoch from ready_at - created_at) * 1000)::int as ms`.execute(tx);
  return rows[0]?.ms ?? null;
}

export async function markCompleted(tx: Tx, id: string, warnings: readonly string[]): Promise<void> {
  await sql`update build_graphs set completed_at = clock_timestamp(), warnings = ${storedTexts.write([...warnings])}::json, updated_at = clock_timestamp() where id = ${id}`.execute(
    tx,
  );
}

export async function markFailed(tx: Tx, id: string, error: PlanError): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update build_graphs set status = 'failed', error = ${storedRunError.write(error)}::json, updated_at = clock_timestamp()
    where id = ${id} and status in ('initializing', 'generating')`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

export async function countRepairs(tx: Tx, id: string, { repairs, fallbacks }: { repairs: number; fallbacks: number }): Promise<void> {
  if (repairs + fallbacks === 0) return;
  await sql`update build_graphs set repairs = repairs + ${repairs}, fallbacks = fallbacks + ${fallbacks} where id = ${id}`.execute(tx);
}

/** A graph has as many nodes as it may: nothing was written. */
export class GraphFull extends RunFailure {
  constructor() {
    super({
      code: 'GRAPH_FULL',
      message: `A build graph may have ${MOST_NODES} nodes; there is no room for more parts in this one`,
      retryable: false,
    });
  }
}

/**
 * Hands out `count` node numbers; gives the one before the first. The row lock this takes orders side-by-side writers, so
 * that they cannot pass the bound together.
 * @throws SupersededError when the graph is gone, GraphFull when it would have too many nodes
 */
export async function takeNumbers(tx: Tx, id: string, count: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    update build_graphs set last_no = last_no + ${count}, updated_at = clock_timestamp() where id = ${id} returning last_no as last`.execute(tx);
  const [row] = rows;
  if (!row) throw new SupersededError('the graph was deleted');
  if (row.last > MOST_NODES) throw new GraphFull();
  return row.last - count;
}

export async function patchGraph(db: Db, userId: string, id: string, change: { title?: string; projectId?: string | null }): Promise<Graph | null> {
  const row = await withDocuments(db)
    .updateTable('build_graphs')
    .set({
      updated_at: sql<Date>`clock_timestamp()`,
      ...(change.title === undefined ? {} : { title: change.title }),
      ...(change.projectId === undefined ? {} : { project_id: change.projectId }),
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteOwnedGraph(tx: Tx, userId: string, id: string): Promise<boolean> {
  const gone = await tx.deleteFrom('build_graphs').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Deletes the graphs of a project; gives the ids, whose streams are the caller's to remove. */
export async function deleteOfProject(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx.deleteFrom('build_graphs').where('project_id', '=', projectId).returning('id').execute();
  return rows.map((row) => row.id);
}

export async function transferGraphs(tx: Tx, from: string, to: string): Promise<number> {
  const result = await withDocuments(tx).updateTable('build_graphs').set({ user_id: to }).where('user_id', '=', from).executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Links a research once; linking it again changes how. */
export async function upsertSource(
  db: Db | Tx,
  link: { id: string; graphId: string; researchId: string; linkType: SourceLink['link_type'] },
): Promise<SourceLink> {
  return db
    .insertInto('build_graph_sources')
    .values({ id: link.id, graph_id: link.graphId, research_id: link.researchId, link_type: link.linkType })
    .onConflict((conflict) => conflict.columns(['graph_id', 'research_id']).doUpdateSet({ link_type: link.linkType }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function listSources(db: Db | Tx, graphId: string): Promise<SourceLink[]> {
  return db.selectFrom('build_graph_sources').selectAll().where('graph_id', '=', graphId).orderBy('created_at').orderBy('id').execute();
}

/** True for whoever comes first; the other already made the plan of this research. */
export async function claimSeed(tx: Tx, researchId: string, graphId: string | null): Promise<boolean> {
  const row = await tx
    .insertInto('build_plan_seeds')
    .values({ research_id: researchId, graph_id: graphId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('research_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertExpansion(tx: Tx, expansion: { id: string; graphId: string; nodeId: string }): Promise<void> {
  await tx.insertInto('build_expansions').values({ id: expansion.id, graph_id: expansion.graphId, node_id: expansion.nodeId }).execute();
}

export async function findExpansion(db: Db | Tx, id: string): Promise<Selectable<ExpansionsTable> | null> {
  return (await db.selectFrom('build_expansions').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Ends an expansion; false when another worker did. */
export async function deleteExpansion(tx: Tx, id: string): Promise<boolean> {
  const gone = await tx.deleteFrom('build_expansions').where('id', '=', id).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

export async function isExpansionWaiting(tx: Tx, nodeId: string): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from build_expansions where node_id = ${nodeId}) as any`.execute(tx);
  return rows[0]?.any ?? false;
}

/** Whether the parts of one more node fit beside those that wait to be written. Whoever asks holds the graph's row. */
export async function hasRoom(tx: Tx, { id, last_no: nodes }: Graph): Promise<boolean> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from build_expansions where graph_id = ${id}`.execute(tx);
  return nodes + ((rows[0]?.waiting ?? 0) + 1) * MOST_PARTS <= MOST_NODES;
}
