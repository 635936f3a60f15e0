import { z } from 'zod';
import type { Correction, IdeaInterpretation, ResearchArtifact } from '#features/research';
import { unlessMissing } from './client-errors.ts';
import type { Client, ResearchRequest, StreamLine } from './client.ts';
import { CommandError, RunFailed } from './command.ts';
import { interpretationLines } from './echo-interpretation.ts';
import { followRun } from './follow-run.ts';
import type { ProgressDisplay } from './progress-display.ts';
import { removeEmptyProject } from './remove-empty-project.ts';

export type Researched = { projectId: string; researchId: string; artifact: ResearchArtifact };

export type Following = {
  /** Whether how the idea was understood is shown. */
  echo?: boolean;
  /** Chooses the market where none is sure; undefined leaves it open. */
  choose?: (about: IdeaInterpretation) => Promise<string | undefined>;
};

/** Code of a research whose text describes no product idea. */
const REFUSED = 'EMPTY_INPUT';

/** The user said which market is meant. */
class MarketChosen extends Error {
  override name = 'MarketChosen';
  readonly market: string;

  constructor(market: string) {
    super(`the market is ${market}`);
    this.market = market;
  }
}

/**
 * Starts a research in a project of its own and follows it to its end, showing what happens. A text that is refused
 * leaves no project behind.
 * @throws CommandError with the job's own message when it failed
 */
export async function followResearch(
  client: Client,
  request: ResearchRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
  options: Following = {},
): Promise<Researched> {
  const headline = (message: string) => display.show({ event: 'headline', data: { message } });
  headline(`Asking ${client.url} …`);
  const started = await client.startResearch(request, signal);
  const ahead = (started.position ?? 1) - 1;
  headline(ahead > 0 ? `Waiting: ${ahead} ahead …` : 'Waiting for the research to begin …');
  const ids = { projectId: started.project_id, researchId: started.job_id };
  try {
    return await follow(client, { ...ids, quiet: started.status === 'completed' }, display, signal, options);
  } catch (error) {
    if (error instanceof MarketChosen)
      return correctAndFollow(client, { ...ids, correction: { markets: [error.market] } }, display, signal, { echo: options.echo ?? false });
    if (error instanceof RunFailed && error.code === REFUSED) await removeEmptyProject(client, started.project_id, signal);
    throw error;
  }
}

const Corrected = z.object({ job_id: z.string(), project_id: z.string().nullable(), status: z.enum(['queued', 'in_progress', 'completed']) });

/**
 * Puts right how a research understood its idea, and follows the research that comes of it.
 * @throws CommandError when the service refuses it, or with the job's own message when it failed
 */
export async function correctAndFollow(
  client: Client,
  { projectId, researchId, correction }: { projectId: string; researchId: string; correction: Correction },
  display: ProgressDisplay,
  signal: AbortSignal,
  options: Following = {},
): Promise<Researched> {
  const started = await client.change(`/research/${encodeURIComponent(researchId)}/interpretation`, correction, Corrected, signal);
  const ids = { projectId: started.project_id ?? projectId, researchId: started.job_id };
  return follow(client, { ...ids, quiet: started.status === 'completed' }, display, signal, options);
}

type Followed = { projectId: string; researchId: string; quiet: boolean };

async function follow(
  client: Client,
  { projectId, researchId, quiet }: Followed,
  display: ProgressDisplay,
  signal: AbortSignal,
  { echo = false, choose }: Following,
): Promise<Researched> {
  const { IdeaInterpretation: Interpreted, ResearchArtifact: Result } = await import('#features/research');
  const path = `/research/${encodeURIComponent(researchId)}`;
  let artifact: ResearchArtifact | undefined;
  const echoed = (about: IdeaInterpretation): void => {
    if (echo) display.show({ event: 'understood', data: { lines: interpretationLines(about) } });
  };
  const onEvent = async ({ event, data }: StreamLine): Promise<void> => {
    if (event === 'interpretation') await onUnderstood(data);
    if (event !== 'result') return;
    const parsed = Result.safeParse(data);
    if (!parsed.success)
      throw new CommandError(`The result that ${client.url} sent is of another version and cannot be read.`, { cause: parsed.error });
    artifact = parsed.data;
    display.show({ event: 'result', data: artifact });
  };
  const onUnderstood = async (data: unknown): Promise<void> => {
    const about = Interpreted.safeParse(data);
    if (!about.success) return;
    echoed(about.data);
    if (!choose) return;
    const market = await choose(about.data);
    if (market !== undefined) throw new MarketChosen(market);
  };
  // A research that was there already tells of its stages no more.
  const earlier = quiet && echo ? await unlessMissing(client.readOwn(`${path}/interpretation`, Interpreted, signal)) : null;
  if (earlier) echoed(earlier);
  await followRun(client, { path: `${path}/events`, what: 'research', quiet, onEvent }, display, signal);
  if (!artifact) throw new CommandError(`The service at ${client.url} ended the research without a result.`);
  return { projectId, researchId, artifact };
}
