import { stableId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { researchStream } from './events.ts';
import type { JobRow } from './research-store.ts';
import { STAGES, type StageName } from './states.ts';

export type Checkpoint = {
  id: string;
  job_id: string;
  key: StageName;
  title: string;
  status: 'pending' | 'running' | 'completed' | 'failed';
  summary: string;
  started_at: Date | null;
  completed_at: Date | null;
};

const TITLES: Record<StageName, string> = {
  interpret: 'Understanding the idea',
  search: 'Looking for evidence',
  judge: 'Sorting out what bears on it',
  analyze: 'Who is in the market and what they do',
  synthesize: 'What follows for the idea',
  persist: 'Putting the result together',
};

/** How far a research came, stage by stage, as its stream tells; a clone has had all of them. */
export async function stageHistory({ streams }: Needs<'streams'>, job: JobRow): Promise<Checkpoint[]> {
  const events = (await streams.history(researchStream(job.id), 'stage')) as { data: { name: string; status: string }; at: Date }[];
  return STAGES.map((key) => {
    const started = events.find(({ data }) => data.name === key && data.status === 'started')?.at ?? null;
    const ended = events.find(({ data }) => data.name === key && data.status !== 'started');
    const cloned = job.cloned_from !== null;
    const status = cloned ? 'completed' : statusOf(started !== null, ended?.data.status);
    return {
      id: stableId(`${job.id} ${key}`),
      job_id: job.id,
      key,
      title: TITLES[key],
      status,
      summary: `${TITLES[key]}: ${cloned ? 'taken over from an identical research' : status}`,
      started_at: cloned ? job.created_at : started,
      completed_at: cloned ? job.completed_at : (ended?.at ?? null),
    };
  });
}

const statusOf = (started: boolean, ended: string | undefined): Checkpoint['status'] => {
  if (ended === 'failed') return 'failed';
  if (ended) return 'completed';
  return started ? 'running' : 'pending';
};
