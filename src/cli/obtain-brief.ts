import { z } from 'zod';
import type { ReportedBrief } from '#features/reports';
import type { Client } from './client.ts';
import { cleanText } from '#lib/clean-text.ts';
import { CommandError } from './command.ts';
import { findProject } from './find-project.ts';
import { followRun } from './follow-run.ts';
import type { ProgressDisplay } from './progress-display.ts';

const WRITE = 'write';
export const BRIEF_STAGES = { [WRITE]: 'Write the brief' };

const Tab = z.object({ items: z.array(z.looseObject({ id: z.string(), status: z.string() })) });
const Created = z.object({ brief_id: z.string() });
const SectionData = z.object({ section: z.string() });
const WholeBrief = z.looseObject({ id: z.string(), status: z.string() });
export type WholeBrief = z.output<typeof WholeBrief>;

/**
 * The newest brief of a project as the service shows it, written first when there is none or a new one is wanted.
 * @throws CommandError when there is no such project, nothing was researched in it, or the brief could not be written
 */
export async function obtainBrief(
  client: Client,
  { project: wanted, anew }: { project: string; anew: boolean },
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<WholeBrief> {
  const project = await findProject(client, wanted, signal);
  const name = cleanText(project.short_title) || project.project_id;
  const page = await client.readOwn(`/projects/${encodeURIComponent(project.project_id)}/tabs/briefs?limit=20`, Tab, signal);
  const earlier = anew ? undefined : page.items.find(({ status }) => status !== 'failed');
  if (!earlier && project.research_count === 0)
    throw new CommandError(`Nothing was researched in "${name}" yet: a brief is written from a completed research.`);
  const id = earlier?.id ?? (await client.create('/briefs', { project_id: project.project_id }, Created, signal)).brief_id;
  if (earlier?.status !== 'ready') await followBrief(client, id, display, signal);
  const whole = await client.readOwn(`/briefs/${encodeURIComponent(id)}`, WholeBrief, signal);
  if (whole.status !== 'ready') throw new CommandError(`The brief of "${name}" could not be written.`);
  return whole;
}

async function followBrief(client: Client, id: string, display: ProgressDisplay, signal: AbortSignal): Promise<void> {
  const onEvent = ({ event, data }: { event: string; data?: unknown }) => {
    const written = event === 'section_progress' ? SectionData.safeParse(data) : undefined;
    if (written?.success) display.show({ event: 'progress', data: { message: written.data.section.replaceAll('_', ' ') } });
  };
  display.show({ event: 'stage', data: { name: WRITE, status: 'started' } });
  await followRun(client, { path: `/briefs/${encodeURIComponent(id)}/events`, what: 'brief', onEvent }, display, signal);
  display.show({ event: 'stage', data: { name: WRITE, status: 'completed' } });
}

/** A brief as a report takes it. @throws CommandError when it is of a version that cannot be read */
export async function readableBrief(brief: WholeBrief): Promise<ReportedBrief> {
  const { SharedBrief } = await import('#features/briefs');
  const parsed = SharedBrief.omit({ type: true }).safeParse(brief);
  if (!parsed.success) throw new CommandError('The brief that the service sent is of another version and cannot be read.', { cause: parsed.error });
  return parsed.data;
}
