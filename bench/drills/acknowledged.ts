import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Line } from '#testing/read-ndjson.ts';
import { call, follow, type Answered, type Client } from '../parts/client.ts';
import { ideaOf } from '../parts/ideas.ts';

/** One caller with a project, a research in it and a share of that, as far as the service acknowledged them. */
export type Attempt = {
  number: number;
  client: Client | null;
  projectId: string | null;
  jobId: string | null;
  /** Whether the research was ever asked for, acknowledged or not. */
  asked: boolean;
  /** Stored events, as they arrived over any number of connections. */
  lines: Line[];
  shareToken: string | null;
  /** Whether something was answered after which it makes no sense to go on. */
  isBroken: boolean;
  /** How many times the service was ended while this was under way. */
  cuts: number;
};

export const newAttempt = (number: number): Attempt => ({
  number,
  client: null,
  projectId: null,
  jobId: null,
  asked: false,
  lines: [],
  shareToken: null,
  isBroken: false,
  cuts: 0,
});

/** How far it is: one for each thing acknowledged and for each event that arrived. */
export const progressOf = ({ client, projectId, jobId, shareToken, lines }: Attempt): number =>
  [client, projectId, jobId, shareToken].filter((part) => part !== null).length + lines.length;

export const isEnded = ({ lines }: Attempt): boolean => lines.at(-1)?.event === 'done';
export const isSettled = ({ shareToken, isBroken }: Attempt): boolean => shareToken !== null || isBroken;

/** Says what is wrong; a run without a call is a run without a violation. */
export type Violation = (attempt: Attempt, what: string) => void;

const AGAIN_MS = 50;

function giveUp(attempt: Attempt, what: string, violated: Violation): void {
  attempt.isBroken = true;
  violated(attempt, what);
}

/** Goes on from what is acknowledged until the research is shared, or until `life` ends. Failed connections are tried again. */
export async function advance(attempt: Attempt, url: string, life: AbortSignal, violated: Violation): Promise<void> {
  while (!life.aborted && !isSettled(attempt)) {
    try {
      await nextStep(attempt, url, life, violated);
    } catch (error) {
      if (!life.aborted && !(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

async function nextStep(attempt: Attempt, url: string, signal: AbortSignal, violated: Violation): Promise<void> {
  const { number, client } = attempt;
  if (!client) {
    const session = await call({ url, token: '' }, 'POST', '/auth/anonymous', { body: { device_id: `drill-${number}` }, signal });
    if (session.status === 200) attempt.client = { url, token: String(session.body['token']) };
    return;
  }
  if (!attempt.projectId) {
    const created = await call(client, 'POST', '/projects', { body: { title: ideaOf(number) }, signal });
    if (created.status === 201) attempt.projectId = String(created.body['id']);
    else giveUp(attempt, `POST /projects answered ${created.status}`, violated);
    return;
  }
  if (!attempt.jobId) return ask(attempt, client, signal, violated);
  if (!isEnded(attempt)) return read(attempt, client, signal, violated);
  const shared = await call(client, 'POST', `/research/${attempt.jobId}/share`, { signal });
  if (shared.status === 200) attempt.shareToken = String(shared.body['share_token']);
  else giveUp(attempt, `POST share answered ${shared.status} after done`, violated);
}

async function ask(attempt: Attempt, client: Client, signal: AbortSignal, violated: Violation): Promise<void> {
  attempt.asked = true;
  const body = { idea: ideaOf(attempt.number), project_id: attempt.projectId };
  const started = await call(client, 'POST', '/research', { body, headers: { 'idempotency-key': `drill-${attempt.number}` }, signal });
  if (started.status === 202 || started.status === 200) attempt.jobId = String(started.body['job_id']);
  else giveUp(attempt, `POST /research answered ${started.status} ${JSON.stringify(started.body)}`, violated);
}

async function read(attempt: Attempt, client: Client, signal: AbortSignal, violated: Violation): Promise<void> {
  const { lines, jobId } = attempt;
  for await (const line of follow(client, String(jobId), `?include_seq=true&cursor=${lines.length}`, signal)) {
    if (line.event === 'stream_start') continue;
    if (line.seq !== lines.length + 1) violated(attempt, `event ${line.seq} came after ${lines.length} events`);
    lines.push(line);
    if (line.event === 'error') giveUp(attempt, `failed: ${JSON.stringify(line.data)}`, violated);
  }
}

/** Lets everything end on a service that stays, for so long at most, then looks at all of it. */
export async function settleAll(attempts: readonly Attempt[], url: string, patienceMs: number, violated: Violation): Promise<void> {
  const life = new AbortController();
  const work = Promise.all(attempts.map((attempt) => advance(attempt, url, life.signal, violated)));
  await Promise.race([work, pause(patienceMs, undefined, { ref: false })]);
  life.abort();
  await work;
  for (const attempt of attempts) {
    if (!isSettled(attempt)) violated(attempt, `is not completed after ${patienceMs / 1000} s`);
    await checkKept(attempt, violated);
    if (isEnded(attempt)) await checkStream(attempt, violated);
  }
}

/** Whether everything acknowledged is still there. */
export async function checkKept(attempt: Attempt, violated: Violation): Promise<void> {
  const { client, projectId, jobId, shareToken } = attempt;
  if (!client) return;
  const expect200 = (answer: Answered, what: string): boolean => {
    if (answer.status !== 200) violated(attempt, `${what} answered ${answer.status}`);
    return answer.status === 200;
  };
  if (projectId) expect200(await call(client, 'GET', `/projects/${projectId}`), 'the acknowledged project');
  if (jobId) {
    const answer = await call(client, 'GET', `/research/${jobId}/status`);
    const { status } = answer.body;
    if (expect200(answer, 'the acknowledged research') && (status === 'failed' || (isEnded(attempt) && status !== 'completed'))) {
      violated(attempt, `the acknowledged research is ${String(status)}`);
    }
  }
  if (shareToken) {
    const again = await call(client, 'POST', `/research/${jobId}/share`);
    if (expect200(again, 'the acknowledged share') && again.body['share_token'] !== shareToken) violated(attempt, 'the acknowledged share is gone');
  }
}

/** Reads the whole stream again and holds it against what arrived and against what a run may write. */
export async function checkStream(attempt: Attempt, violated: Violation): Promise<void> {
  const { client, jobId, lines } = attempt;
  if (!client || !jobId) return;
  const again: Line[] = [];
  for await (const line of follow(client, jobId, '?include_seq=true')) if (line.event !== 'stream_start') again.push(line);
  if (!isDeepStrictEqual(again, lines)) violated(attempt, `read again it has ${again.length} events, ${lines.length} arrived, or they differ`);
  if (again.some(({ seq }, index) => seq !== index + 1)) violated(attempt, 'its numbers have gaps');
  const stages = again.filter(({ event }) => event === 'stage').map(({ data }) => `${String(data['name'])} ${String(data['status'])}`);
  const doubled = stages.filter((stage, index) => stages.indexOf(stage) !== index);
  if (doubled.length > 0) violated(attempt, `stage events came twice: ${doubled.join(', ')}`);
  const ends = again.filter(({ event }) => event === 'result' || event === 'done').map(({ event }) => event);
  if (ends.join(' ') !== 'result done') violated(attempt, `it ends with ${ends.join(' ') || 'nothing'}`);
}
