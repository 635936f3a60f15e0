import { insertCards, type NewCard } from '#features/cards';
import { findJob, prioritiesOf, readArtifact, type JobRow, type ResearchArtifact } from '#features/research';
import { messageOf } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import { count } from '#lib/text.ts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { isUnreachable } from '#platform/db/database.ts';
import type { EventLog, NewEvent } from '#platform/streams/event-log.ts';
import { titleOf } from './create-graph.ts';
import { sumDays } from './effort.ts';
import { BuildGraphCompleted, BuildGraphReady, graphStream } from './events.ts';
import { claimSeed, insertGraph, lockGraph, hasGraph, markCompleted, markReady } from './graph-store.ts';
import { insertNodes, listToExpand } from './node-store.ts';
import type { Material, PlannedNode } from './planner.ts';
import { latestGraphOfProject } from './present-graph.ts';
import { partsByRules, rootsByRules } from './rule-planner/rule-planner.ts';
import type { SelectedFeature } from './schema.ts';
import { DEPTHS, SEED_FEATURES, SEED_SCORE } from './states.ts';
import { createdEvent, tellStart, viewOf, writeParts } from './take-apart.ts';

type SeedNeeds = Needs<'db' | 'streams' | 'events' | 'log'>;

/**
 * What follows a completed research: always a `build_plan_ready` card, and, where the research scored high and its project
 * has no graph, a graph that is ready at once. Made by rule, so it needs nothing from outside; done once per research.
 */
export async function seedBuildPlan(ctx: SeedNeeds, researchId: string): Promise<void> {
  const artifact = await readArtifact(ctx.db, researchId);
  if (!artifact) return;
  const material = seedMaterial(artifact);
  const planned = attempt(() => rootsByRules(material).nodes);
  if ('error' in planned) ctx.log.warn({ err: planned.error, research: researchId }, 'a build plan could not be made');
  await ctx.db.transaction().execute(async (tx) => {
    const owner = await findJob(tx, researchId);
    if (!owner) return;
    const roots = 'value' in planned ? planned.value : [];
    const seeds = roots.length > 0 && owner.project_id !== null && scoreOf(owner, artifact) >= SEED_SCORE && !(await hasGraph(tx, owner.project_id));
    const graphId = seeds ? newId() : null;
    if (!(await claimSeed(tx, researchId, graphId))) return;
    if (graphId) await writeGraph(ctx, tx, { graphId, owner, material, roots });
    const card = 'value' in planned ? readyCard(researchId, material.features, roots, graphId) : failedCard(planned.error);
    await insertCards(tx, { userId: owner.user_id, projectId: owner.project_id, researchJobId: researchId, source: 'build' }, [card]);
  });
}

/** The card of a research's build plan, computed again; its project's latest graph stands on it. */
export async function planBuildCard(ctx: Needs<'db'>, job: JobRow): Promise<NewCard> {
  try {
    const artifact = await readArtifact(ctx.db, job.id);
    if (!artifact) throw new Error(`This research is ${job.status}; its build plan is made when it completes.`);
    const material = seedMaterial(artifact);
    const graph = job.project_id ? await latestGraphOfProject(ctx, job.user_id, job.project_id) : null;
    return readyCard(job.id, material.features, rootsByRules(material).nodes, graph?.id ?? null);
  } catch (error) {
    if (isUnreachable(error)) throw error;
    return failedCard(error);
  }
}

function seedMaterial(artifact: ResearchArtifact): Material {
  const features = prioritiesOf(artifact).map(({ id, label }): SelectedFeature => ({ id, label, source: 'research' }));
  return { idea: artifact.product_idea, features: features.slice(0, SEED_FEATURES), research: [artifact], findings: null };
}

const scoreOf = ({ score }: JobRow, { recommendation }: ResearchArtifact): number => score ?? recommendation.score ?? 0;

async function writeGraph(
  ctx: { streams: EventLog } & Needs<'events'>,
  tx: Tx,
  { graphId, owner, material, roots }: { graphId: string; owner: JobRow; material: Material; roots: readonly PlannedNode[] },
): Promise<void> {
  const { user_id: userId, project_id: projectId } = owner;
  const title = titleOf(material.idea);
  const graph = {
    id: graphId,
    userId,
    projectId,
    researchId: owner.id,
    featureResearchId: null,
    idea: material.idea,
    title,
    features: material.features,
  };
  await insertGraph(tx, { ...graph, source: 'research_auto_seeded' }, { planner: 'rule', provider: null, model: null });
  const written = await insertNodes(tx, graphId, null, roots);
  const durationMs = (await markReady(tx, graphId)) ?? 0;
  const events: NewEvent[] = [
    { event: 'graph_created', data: { graph_id: graphId, project_id: projectId } },
    { event: 'stage', data: { name: 'llm', status: 'started' } },
    ...written.map(createdEvent),
    { event: 'graph_ready', data: { graph_id: graphId, root_count: written.length, duration_ms: durationMs } },
    { event: 'stage', data: { name: 'llm', status: 'completed' } },
    ...(await takeApart(tx, graphId, material)),
  ];
  await markCompleted(tx, graphId, []);
  await lockGraph(tx, graphId);
  await ctx.streams.open(tx, graphStream(graphId));
  await ctx.streams.append(tx, graphStream(graphId), [...events, { event: 'done', data: {} }], { close: true });
  const about = { graphId, userId, projectId, title };
  await ctx.events.publish(tx, BuildGraphReady, { ...about, rootCount: written.length, durationMs, source: 'research_auto_seeded' });
  await ctx.events.publish(tx, BuildGraphCompleted, about);
}

async function takeApart(tx: Tx, graphId: string, material: Material): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const depth of DEPTHS) {
    for (const node of await listToExpand(tx, graphId, depth)) {
      events.push(
        ...(await tellStart(tx, node)),
        // The rules need nothing of what stands around a node.
        ...(await writeParts(tx, node, partsByRules(material, viewOf(node)))),
      );
    }
  }
  return events;
}

function readyCard(researchId: string, features: readonly SelectedFeature[], roots: readonly PlannedNode[], graphId: string | null): NewCard {
  return {
    cardType: 'build_plan_ready',
    title: `Build plan: ${count(roots.length, 'part')} for ${count(features.length, 'feature')}`,
    body: {
      research_id: researchId,
      graph_id: graphId,
      features,
      parts: roots.map(({ key, name, days, risk, dependsOn }) => ({
        key,
        name,
        effort_days: days,
        risk,
        depends_on: dependsOn.map((edge) => edge.key),
      })),
      total_days: sumDays(roots.map(({ days }) => days)),
    },
    status: 'ready',
    ctaActions: graphId
      ? [{ label: 'Open the build plan', action: 'open_build_graph' }]
      : [{ label: 'Plan the build', action: 'create_build_graph' }],
  };
}

const failedCard = (error: unknown): NewCard => ({
  cardType: 'build_plan_failed',
  title: 'The section build_plan could not be computed',
  body: { section: 'build_plan', message: messageOf(error) },
  status: 'failed',
});

function attempt<T>(work: () => T): { value: T } | { error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}
