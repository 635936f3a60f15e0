import type { ResearchArtifact } from '#features/research';
import type { Client, ResearchRequest } from './client.ts';
import { CommandError } from './command.ts';
import { followRun } from './follow-run.ts';
import type { ProgressDisplay } from './progress-display.ts';

export type Researched = { projectId: string; researchId: string; artifact: ResearchArtifact };

/**
 * Starts a research in a project of its own and follows it to its end, showing what happens.
 * @throws CommandError with the job's own message when it failed
 */
export async function followResearch(client: Client, request: ResearchRequest, display: ProgressDisplay, signal: AbortSignal): Promise<Researched> {
  const headline = (message: string) => display.show({ event: 'headline', data: { message } });
  headline(`Asking ${client.url} …`);
  const started = await client.startResearch(request, signal);
  const ahead = (started.position ?? 1) - 1;
  headline(ahead > 0 ? `Waiting: ${ahead} ahead …` : 'Waiting for the research to begin …');
  const { ResearchArtifact } = await import('#features/research');
  let artifact: ResearchArtifact | undefined;
  const path = `/research/${encodeURIComponent(started.job_id)}/events`;
  const quiet = started.status === 'completed';
  const onEvent = ({ event, data }: { event: string; data?: unknown }) => {
    if (event !== 'result') return;
    const parsed = ResearchArtifact.safeParse(data);
    if (!parsed.success)
      throw new CommandError(`The result that ${client.url} sent is of another version and cannot be read.`, { cause: parsed.error });
    artifact = parsed.data;
    display.show({ event: 'result', data: artifact });
  };
  await followRun(client, { path, what: 'research', quiet, onEvent }, display, signal);
  if (!artifact) throw new CommandError(`The service at ${client.url} ended the research without a result.`);
  return { projectId: started.project_id, researchId: started.job_id, artifact };
}
