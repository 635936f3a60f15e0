import { z } from 'zod';
import type { GraphDetail } from '#features/build-graphs';
import type { ResearchArtifact } from '#features/research';
import { count, truncate } from '#lib/text.ts';
import type { Client } from './client.ts';
import { cleanText } from '#lib/clean-text.ts';
import { CommandError } from './command.ts';
import { followResearch, type Researched } from './follow-research.ts';
import { followRun } from './follow-run.ts';
import type { ProgressDisplay } from './progress-display.ts';
import { RESEARCH_STAGES } from './progress.ts';

const OF_FEATURES = 'features.';
const OF_GRAPH = 'graph.';
const LAY_OUT = `${OF_GRAPH}llm`;
const TAKE_APART = `${OF_GRAPH}parts`;
/** How many parts come between two lines about them. */
const TOLD_EVERY = 25;
const LONGEST_LABEL = 200;

/** The stages of the three runs that make a plan. */
export const PLAN_STAGES = {
  ...RESEARCH_STAGES,
  [`${OF_FEATURES}scope`]: 'Match the features',
  [`${OF_FEATURES}gather`]: 'Gather how they are built',
  [`${OF_FEATURES}analyze`]: 'Analyse each feature',
  [`${OF_FEATURES}synthesize`]: 'Draw the blueprint',
  [LAY_OUT]: 'Lay out the plan',
  [TAKE_APART]: 'Take it apart',
};

type Graph = z.output<typeof GraphDetail>;
export type MadePlan = Researched & { featureResearchId: string | null; graph: Graph };

const Listed = z.array(z.object({ id: z.string(), status: z.string(), source: z.string() }));
const Links = z.object({ research_id: z.string().nullable(), feature_research_id: z.string().nullable(), completed_at: z.string().nullable() });
const StartedFeatures = z.object({ job_id: z.string() });
const CreatedGraph = z.object({ graph_id: z.string() });
const Blueprint = z.object({ blueprint: z.object({ parts: z.array(z.unknown()), total_mvp_days: z.number() }) });

type Steps = { client: Client; display: ProgressDisplay; signal: AbortSignal };

/**
 * Research, feature research and build graph of an idea, one after the other. A plan that this research has already is
 * taken up again, unless it is to be made anew.
 * @throws CommandError naming the step that failed, or that the research found nothing to build
 */
export async function makePlan(
  client: Client,
  { idea, anew }: { idea: string; anew: boolean },
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<MadePlan> {
  const steps: Steps = { client, display, signal };
  const researched = await followResearch(client, { idea, mode: 'market' }, display, signal);
  const earlier = anew ? null : await findPlan(steps, researched);
  if (earlier) {
    if (!earlier.completed) await followGraph(steps, earlier.graphId);
    else display.show({ event: 'headline', data: { message: 'This idea has been planned before: here is that plan (--new plans anew).' } });
    return { ...researched, featureResearchId: earlier.featureResearchId, graph: await readGraph(steps, earlier.graphId) };
  }
  const features = featuresOf(researched.artifact);
  if (features.length === 0) throw new CommandError(nothingToBuild(researched.artifact));
  const featureResearchId = await researchFeatures(steps, idea, researched, features);
  const body = {
    idea,
    auto_select: true,
    // A first release; where nothing is due in it, whatever may come later.
    phase: researched.artifact.build_readiness.phase_1.length > 0 ? 1 : null,
    project_id: researched.projectId,
    research_id: researched.researchId,
    feature_research_id: featureResearchId,
  };
  const { graph_id: graphId } = await client.create('/build-graphs', body, CreatedGraph, signal);
  await followGraph(steps, graphId);
  return { ...researched, featureResearchId, graph: await readGraph(steps, graphId) };
}

/** The newest plan that was asked for on this research. */
async function findPlan({ client, signal }: Steps, { projectId, researchId }: Researched) {
  const graphs = await client.readOwn(`/build-graphs?project_id=${encodeURIComponent(projectId)}&limit=20`, Listed, signal);
  for (const { id } of graphs.filter(({ source, status }) => source === 'user' && status !== 'failed')) {
    const links = await client.readOwn(`/build-graphs/${encodeURIComponent(id)}`, Links, signal);
    if (links.research_id === researchId)
      return { graphId: id, featureResearchId: links.feature_research_id, completed: links.completed_at !== null };
  }
  return null;
}

const featuresOf = ({ build_readiness: { phase_1: first, phase_2: second } }: ResearchArtifact) =>
  (first.length > 0 ? first : second).map(({ id, label }) => ({ id, name: truncate(label, LONGEST_LABEL), source: 'research' }));

const nothingToBuild = ({ recommendation }: ResearchArtifact): string =>
  `The research found nothing that could be built. ${cleanText(recommendation.rationale)}`.replace(/[\s.]*$/, '.');

async function researchFeatures(
  { client, display, signal }: Steps,
  idea: string,
  { projectId, researchId }: Researched,
  features: ReturnType<typeof featuresOf>,
): Promise<string> {
  const body = { features, idea, project_id: projectId, research_id: researchId };
  const { job_id: jobId } = await client.create('/feature-research', body, StartedFeatures, signal);
  let note = '';
  const onEvent = ({ event, data }: { event: string; data?: unknown }) => {
    const found = event === 'result' ? Blueprint.safeParse(data) : undefined;
    if (found?.success)
      note = `${count(found.data.blueprint.parts.length, 'part')} to build, about ${Math.round(found.data.blueprint.total_mvp_days)} days`;
  };
  await followRun(
    client,
    { path: `/feature-research/${encodeURIComponent(jobId)}/events`, what: 'feature research', prefix: OF_FEATURES, onEvent },
    display,
    signal,
  );
  if (note) display.show({ event: 'found', data: { stage: `${OF_FEATURES}synthesize`, note } });
  return jobId;
}

async function followGraph({ client, display, signal }: Steps, graphId: string): Promise<void> {
  let parts = 0;
  let begun = false;
  const onEvent = ({ event }: { event: string }) => {
    if (event === 'graph_ready') {
      display.show({ event: 'found', data: { stage: LAY_OUT, note: count(parts, 'main part') } });
    }
    if (event === 'expand_start' && !begun) {
      begun = true;
      display.show({ event: 'stage', data: { name: TAKE_APART, status: 'started' } });
    }
    if (event !== 'node_created') return;
    parts += 1;
    if (parts % TOLD_EVERY === 0) display.show({ event: 'progress', data: { message: `${parts} parts` } });
  };
  const path = `/build-graphs/${encodeURIComponent(graphId)}/events`;
  await followRun(client, { path, what: 'planning', prefix: OF_GRAPH, onEvent }, display, signal);
  display.show({ event: 'stage', data: { name: TAKE_APART, status: 'completed' } });
  display.show({ event: 'found', data: { stage: TAKE_APART, note: count(parts, 'part') } });
}

async function readGraph({ client, signal }: Steps, graphId: string): Promise<Graph> {
  const { GraphDetail } = await import('#features/build-graphs');
  const parsed = GraphDetail.safeParse(await client.readOwn(`/build-graphs/${encodeURIComponent(graphId)}`, z.unknown(), signal));
  if (!parsed.success) throw new CommandError(`The plan that ${client.url} sent is of another version and cannot be read.`, { cause: parsed.error });
  if (parsed.data.status !== 'ready') throw new CommandError(parsed.data.error?.message ?? 'The plan could not be made.');
  return parsed.data;
}
