import type { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { count, listOf, shorten } from '#lib/text.ts';
import { listBriefs, presentBrief, shareUrlOf } from '#features/briefs';
import { countGraphsByProject, latestGraphOfProject, listGraphsOfProject, type ProjectGraphItem } from '#features/build-graphs';
import { listClips } from '#features/clips';
import { findOwnedProject, findProjectVector, nearestProjects, presentProject, projectChannel, type ProjectRow } from '#features/projects';
import { listOfProject, readArtifact, summariseByProject, type JobRow } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import type { FullProject, GraphItem, ProjectDetail, ProjectHome, ResearchItem, TABS } from './schema.ts';

const RECENT = 10;
const ON_HOME = 5;
const SIMILAR = 5;
const SIMILAR_AT_LEAST = 0.2;

export const presentResearch = (job: JobRow): z.input<typeof ResearchItem> => ({
  id: job.id,
  idea: job.idea,
  status: job.status,
  category: job.category,
  score: String(Math.round(job.score ?? 0)),
  created_at: job.created_at,
  updated_at: job.updated_at,
});

const presentGraph = (graph: ProjectGraphItem): z.input<typeof GraphItem> => ({
  id: graph.id,
  title: graph.title,
  status: graph.status,
  node_count: graph.node_count,
  created_at: graph.created_at,
  updated_at: graph.updated_at,
});

/** @throws AppError 404 when it is missing or another user's */
export async function ownedProject({ db }: Needs<'db'>, principal: Principal, id: string): Promise<ProjectRow> {
  const project = await findOwnedProject(db, principal.userId, id);
  if (!project) throw notFound('Project');
  return project;
}

export async function projectDetail(ctx: Needs<'db'>, principal: Principal, id: string): Promise<z.input<typeof ProjectDetail>> {
  const project = await ownedProject(ctx, principal, id);
  const [recent, summaries, graphs, graphCounts] = await Promise.all([
    listOfProject(ctx.db, id, { limit: RECENT, offset: 0 }),
    summariseByProject(ctx.db, [id]),
    listGraphsOfProject(ctx, principal.userId, id, { limit: RECENT, offset: 0 }),
    countGraphsByProject(ctx.db, [id]),
  ]);
  return {
    ...presentProject(project),
    research_count: summaries.get(id)?.count ?? 0,
    graph_count: graphCounts.get(id) ?? 0,
    recent_research: recent.slice(0, RECENT).map(presentResearch),
    build_graphs: graphs.map(presentGraph),
  };
}

export async function fullProject(ctx: Needs<'db'>, principal: Principal, id: string): Promise<z.input<typeof FullProject>> {
  const project = await ownedProject(ctx, principal, id);
  const jobs = await listOfProject(ctx.db, id, { limit: 50, offset: 0 });
  const latest = newestCompleted(jobs)[0];
  const working = jobs.find((job) => job.status === 'queued' || job.status === 'running');
  const graph = await latestGraphOfProject(ctx, principal.userId, id);
  const vector = await findProjectVector(ctx.db, id);
  const near = vector ? await nearestProjects(ctx.db, principal.userId, vector, { limit: SIMILAR, except: id }) : [];
  const similar = near.filter(({ similarity }) => similarity >= SIMILAR_AT_LEAST);
  return {
    id,
    title: project.title,
    research: latest ? await readArtifact(ctx.db, latest.id) : null,
    research_in_progress: working ? { job_id: working.id, status: working.status, stage: working.pipeline_stage } : null,
    build_graph: graph ? { roots: graph.roots } : null,
    similar: await Promise.all(
      similar.map(async ({ row, similarity }) => ({ id: row.id, idea: row.title, category: await categoryOf(ctx, row.id), similarity })),
    ),
  };
}

const categoryOf = async ({ db }: Needs<'db'>, projectId: string): Promise<string> =>
  newestCompleted(await listOfProject(db, projectId, { limit: ON_HOME, offset: 0 }))[0]?.category ?? '';

export async function projectHome(ctx: Needs<'db' | 'streams' | 'config'>, principal: Principal, id: string): Promise<z.input<typeof ProjectHome>> {
  const project = await ownedProject(ctx, principal, id);
  const jobs = await listOfProject(ctx.db, id, { limit: 100, offset: 0 });
  const completed = newestCompleted(jobs);
  const head = await ctx.streams.head(ctx.db, projectChannel(id));
  const graphs = await listGraphsOfProject(ctx, principal.userId, id, { limit: ON_HOME, offset: 0 });
  const briefs = (await listBriefs(ctx.db, { userId: principal.userId, projectId: id }, { limit: ON_HOME, offset: 0 })).slice(0, ON_HOME);
  const research = await Promise.all(
    jobs.slice(0, ON_HOME).map(async (job) => ({
      id: job.id,
      status: job.status,
      version: completed.length - completed.findIndex((other) => other.id === job.id),
      completed_at: job.completed_at,
      quality: { overall_score: job.score ?? 0 },
      top_competitors: await topCompetitors(ctx, job),
    })),
  );
  return {
    project: {
      id,
      short_title: project.short_title,
      description: project.description,
      status: project.state,
      quality: project.quality_score,
      created_at: project.created_at,
      updated_at: project.updated_at,
    },
    digest: digestOf(project, jobs, research[0]?.top_competitors ?? []),
    // What is not completed yet will be the next version.
    research: research.map((entry) => (entry.completed_at ? entry : { ...entry, version: completed.length + 1 })),
    build_graphs: graphs.map((graph) => ({
      id: graph.id,
      status: graph.status,
      node_count: graph.node_count,
      expanded_count: graph.expanded_count,
      completed_at: graph.completed_at,
    })),
    briefs: briefs.map((brief) => ({
      id: brief.id,
      audience: brief.audience,
      share_url: shareUrlOf(ctx, brief),
      created_at: brief.created_at,
    })),
    clips: (await listClips(ctx.db, { userId: principal.userId, projectId: id }, { limit: ON_HOME, offset: 0 })).slice(0, ON_HOME),
    agents: [],
    ws: { last_event_seq: head?.lastSeq ?? 0 },
  };
}

/** One row more than `limit` of one kind of thing in a project, as it is shown. */
export async function tabRows(
  ctx: Needs<'db'>,
  principal: Principal,
  { tab, projectId }: { tab: (typeof TABS)[number]; projectId: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<Record<string, unknown>[]> {
  if (tab === 'research') return (await listOfProject(ctx.db, projectId, { limit, offset })).map(presentResearch);
  if (tab === 'build_graphs') return (await listGraphsOfProject(ctx, principal.userId, projectId, { limit: limit + 1, offset })).map(presentGraph);
  if (tab === 'briefs') return (await listBriefs(ctx.db, { userId: principal.userId, projectId }, { limit, offset })).map(presentBrief);
  if (tab === 'clips') return listClips(ctx.db, { userId: principal.userId, projectId }, { limit, offset });
  return [];
}

const newestCompleted = (jobs: readonly JobRow[]): JobRow[] =>
  jobs.filter((job) => job.status === 'completed').sort((left, right) => (right.completed_at?.getTime() ?? 0) - (left.completed_at?.getTime() ?? 0));

async function topCompetitors({ db }: Needs<'db'>, job: JobRow): Promise<string[]> {
  if (job.status !== 'completed') return [];
  const artifact = await readArtifact(db, job.id);
  return (artifact?.market.competitors ?? []).slice(0, 3).map(({ name }) => name);
}

/** The project in a few sentences, for a reader and for the chat agent. */
function digestOf(project: ProjectRow, jobs: readonly JobRow[], competitors: readonly string[]): string {
  const completed = newestCompleted(jobs);
  const latest = completed[0];
  const working = jobs.find((job) => job.status === 'queued' || job.status === 'running');
  return [
    `${project.clean_title}: ${shorten(project.one_liner, 200)}`,
    latest
      ? `${count(completed.length, 'completed research', 'completed researches')}; the latest, in ${latest.category}, scored ${Math.round(latest.score ?? 0)} of 100.`
      : 'Not researched yet.',
    competitors.length > 0 ? `Closest products: ${listOf(competitors)}.` : '',
    working ? `A research is ${working.status} (${working.pipeline_stage}).` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
