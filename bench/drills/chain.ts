import { isDeepStrictEqual } from 'node:util';
import { followNdjson, type Line } from '#testing/read-ndjson.ts';
import { call, type Client } from '../parts/client.ts';

export const KINDS = ['feature-research', 'build-graphs', 'briefs'] as const;
export type Kind = (typeof KINDS)[number];

/** What stands before the first kill: a caller with a project and a completed research in it. */
export type Ground = { client: Client; idea: string; projectId: string; researchId: string };

/** One run on that ground, as far as the service acknowledged it. */
export type Run = {
  kind: Kind;
  number: number;
  ground: Ground;
  id: string | null;
  /** How often it was asked for, acknowledged or not. */
  asked: number;
  /** Stored events as they arrived over any number of connections; those before `skipped` were never sent. */
  lines: Line[];
  skipped: number;
  /** Of a brief: revisions that were acknowledged, and how many were asked for. */
  revisions: number[];
  rewritesAsked: number;
  isBroken: boolean;
  cuts: number;
};

export const newRun = (kind: Kind, number: number, ground: Ground): Run => ({
  kind,
  number,
  ground,
  id: null,
  asked: 0,
  lines: [],
  skipped: 0,
  revisions: [],
  rewritesAsked: 0,
  isBroken: false,
  cuts: 0,
});

const REWRITES = ['positioning', 'market_gaps'];
const AGAIN_MS = 50;
const ACCEPTED: Readonly<Record<Kind, number>> = { 'feature-research': 202, 'build-graphs': 201, briefs: 201 };
const ID_OF: Readonly<Record<Kind, string>> = { 'feature-research': 'job_id', 'build-graphs': 'graph_id', briefs: 'brief_id' };

export type Violation = (run: Run, what: string) => void;

const isEnded = ({ lines }: Run): boolean => lines.at(-1)?.event === 'done';
const rewritesLeft = ({ kind, revisions }: Run): boolean => kind === 'briefs' && revisions.length < REWRITES.length;
/** After an acknowledged rewrite the stream goes on: its end so far is no end. */
const isReopened = ({ kind, lines, revisions }: Run): boolean =>
  kind === 'briefs' && lines.filter(({ event }) => event === 'done').length <= revisions.length;

export const isSettled = (run: Run): boolean => run.isBroken || (isEnded(run) && !isReopened(run) && !rewritesLeft(run));
export const progressOf = ({ id, lines, revisions }: Run): number => Number(id !== null) + lines.length + revisions.length;
export const isUnderWay = (run: Run): boolean => run.asked > 0 && !isSettled(run);

/** Goes on from what is acknowledged until the run is over, or until `life` ends. Failed connections are tried again. */
export async function advance(run: Run, url: string, life: AbortSignal, violated: Violation): Promise<void> {
  run.ground.client.url = url;
  while (!life.aborted && !isSettled(run)) {
    try {
      if (run.id === null) await ask(run, life, violated);
      else if (!isEnded(run) || isReopened(run)) await read(run, life, violated);
      else await rewrite(run, life, violated);
    } catch (error) {
      if (!life.aborted && !(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

async function ask(run: Run, signal: AbortSignal, violated: Violation): Promise<void> {
  const { idea, projectId, researchId, client } = run.ground;
  const features = [
    { id: 'lists', name: 'Shared lists', label: 'Shared lists', source: 'manual' },
    { id: 'offline', name: 'Offline mode', label: 'Offline mode', source: 'manual' },
    { id: 'reminders', name: 'Payment reminders', label: 'Payment reminders', source: 'manual' },
  ];
  const bodies: Record<Kind, unknown> = {
    'feature-research': { idea, features, project_id: projectId, research_id: researchId },
    'build-graphs': { idea, features, research_id: researchId },
    briefs: { project_id: projectId, research_id: researchId },
  };
  run.asked += 1;
  const answer = await call(run.ground.client, 'POST', `/${run.kind}`, { body: bodies[run.kind], signal });
  if (answer.status === ACCEPTED[run.kind]) run.id = String(answer.body[ID_OF[run.kind]]);
  // Whoever asks again after each cut may ask too often; that is told by a number, and waited for.
  else if (answer.status === 429) await new Promise((resolve) => setTimeout(resolve, 1000));
  else await signInAgain(client, answer.status, run, violated);
}

async function signInAgain(client: Client, status: number, run: Run, violated: Violation): Promise<void> {
  if (status !== 401) {
    run.isBroken = true;
    return violated(run, `the request was answered with ${status}`);
  }
  const session = await call({ url: client.url, token: '' }, 'POST', '/auth/anonymous', { body: { device_id: deviceOf(run.number) } });
  if (session.status === 200) client.token = String(session.body['token']);
}

export const deviceOf = (number: number): string => `chain-${number}`;

async function read(run: Run, signal: AbortSignal, violated: Violation): Promise<void> {
  const position = (): number => run.skipped + run.lines.length;
  for await (const line of events(run, position(), signal)) {
    // A completed feature research that is opened at its beginning tells its result alone.
    if (run.kind === 'feature-research' && position() === 0 && line.event === 'result') run.skipped = (line.seq ?? 1) - 1;
    if (line.seq !== position() + 1 && !(line.event === 'done' && line.seq === position())) {
      violated(run, `event ${line.seq} came after ${position()} events`);
    }
    if (line.seq === position() + 1) run.lines.push(line);
    if (line.event === 'error') {
      run.isBroken = true;
      violated(run, `failed: ${JSON.stringify(line.data)}`);
    }
  }
}

async function* events({ kind, id, ground: { client } }: Run, cursor: number, signal?: AbortSignal): AsyncGenerator<Line> {
  const address = `${client.url}/${kind}/${id}/events?include_seq=true&cursor=${cursor}`;
  for await (const line of followNdjson(address, client.token, signal)) if (line.event !== 'stream_start') yield line;
}

async function rewrite(run: Run, signal: AbortSignal, violated: Violation): Promise<void> {
  const section = REWRITES[run.revisions.length] ?? '';
  run.rewritesAsked += 1;
  const answer = await call(run.ground.client, 'POST', `/briefs/${run.id}/sections/${section}/regenerate`, { signal });
  if (answer.status === 200) run.revisions.push(Number(answer.body['revision']));
  else if (answer.status === 401) await signInAgain(run.ground.client, 401, run, violated);
  else {
    run.isBroken = true;
    violated(run, `asking for ${section} anew was answered with ${answer.status}`);
  }
}

/** Reads a run that is over again, and holds it against what arrived and against what a run may write. */
export async function checkRun(run: Run, violated: Violation): Promise<void> {
  if (run.id === null) return;
  const again: Line[] = [];
  // From the first event on: at its very beginning a completed feature research shows its result alone.
  const from = run.kind === 'feature-research' ? 1 : 0;
  for await (const line of events(run, from)) again.push(line);
  if (again.some(({ seq }, index) => seq !== from + index + 1)) violated(run, 'its numbers have gaps');
  const arrived = run.lines.filter(({ seq = 0 }) => seq > from);
  // The number of an end that was none any more belongs to the event that took its place.
  const differs = arrived.some((line, at) => {
    const isReplaced = line.event === 'done' && at < arrived.length - 1;
    return !isReplaced && !isDeepStrictEqual(line, again[(line.seq ?? 0) - from - 1]);
  });
  if (differs) violated(run, `read again it has ${again.length} events that differ from the ${arrived.length} that arrived`);
  if (again.filter(({ event }) => event === 'done').length !== 1 || again.at(-1)?.event !== 'done') violated(run, 'it does not end with one done');
  for (const twice of doubled(again, run.kind)) violated(run, `told twice: ${twice}`);
  if (run.kind === 'feature-research') await checkFeatureResearch(run, violated);
  if (run.kind === 'build-graphs') await checkGraph(run, again, violated);
  if (run.kind === 'briefs') await checkBrief(run, violated);
}

/** What may be told once only, by name. Sections of a brief come again when they are written anew. */
function doubled(lines: readonly Line[], kind: Kind): string[] {
  const names = lines.flatMap(({ event, data }) => {
    if (event === 'stage') return [`stage ${String(data['name'])} ${String(data['status'])}`];
    if (event === 'node_created') return [`node ${String(data['node_key'])}`];
    if (event === 'expand_start' || event === 'expand_done') return [`${event} ${String(data['node_id'])}`];
    if (event === 'feature_analyzed') return [`feature ${String(data['feature_id'])}`];
    return ['graph_created', 'graph_ready', 'result', 'brief_ready'].includes(event) && kind !== 'briefs' ? [event] : [];
  });
  return names.filter((name, at) => names.indexOf(name) !== at);
}

async function checkFeatureResearch(run: Run, violated: Violation): Promise<void> {
  const results = await call(run.ground.client, 'GET', `/feature-research/${run.id}/results`);
  const analyses = (results.body['analyses'] as { feature_id: string }[] | undefined) ?? [];
  if (results.status !== 200 || new Set(analyses.map(({ feature_id: id }) => id)).size !== 3 || analyses.length !== 3)
    violated(run, `its results were answered with ${results.status} and ${analyses.length} analyses`);
}

type Node = { node_key: string; children: Node[] };
const keysIn = (nodes: readonly Node[]): string[] => nodes.flatMap(({ node_key: key, children }) => [key, ...keysIn(children)]);

async function checkGraph(run: Run, lines: readonly Line[], violated: Violation): Promise<void> {
  const detail = await call(run.ground.client, 'GET', `/build-graphs/${run.id}`);
  const keys = keysIn((detail.body['nodes'] as Node[] | undefined) ?? []).sort();
  const told = lines.flatMap(({ event, data }) => (event === 'node_created' ? [String(data['node_key'])] : [])).sort();
  if (detail.body['status'] !== 'ready' || keys.length === 0) violated(run, `it is ${String(detail.body['status'])} with ${keys.length} nodes`);
  if (!isDeepStrictEqual(keys, told)) violated(run, `${told.length} nodes were told, ${keys.length} are there`);
}

async function checkBrief(run: Run, violated: Violation): Promise<void> {
  const { body } = await call(run.ground.client, 'GET', `/briefs/${run.id}`);
  const revision = Number(body['revision']);
  if (body['status'] !== 'ready') violated(run, `it is ${String(body['status'])}`);
  const rising = run.revisions.every((number, at) => number > (run.revisions[at - 1] ?? 1));
  if (!rising || revision < 1 + run.revisions.length || revision > 1 + run.rewritesAsked || revision < (run.revisions.at(-1) ?? 1))
    violated(run, `revision ${revision} after ${run.rewritesAsked} requests of which ${run.revisions.join(', ') || 'none'} were acknowledged`);
  for (let from = 1; from < revision; from += 1) {
    const diff = await call(run.ground.client, 'GET', `/briefs/${run.id}/diff?from_revision=${from}&to_revision=${from + 1}`);
    if (diff.status !== 200) violated(run, `revision ${from + 1} against ${from} was answered with ${diff.status}`);
  }
  const sections = Object.values((body['section_meta'] as Record<string, { status: string }> | undefined) ?? {});
  if (sections.length !== 7 || sections.some(({ status }) => status !== 'written'))
    violated(run, `${sections.length} sections, not all of them written`);
}
