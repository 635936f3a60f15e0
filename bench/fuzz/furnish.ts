import { setTimeout as pause } from 'node:timers/promises';
import { call, type Answered } from '../parts/client.ts';
import { ideaOf } from '../parts/ideas.ts';
import { newCaller, type Caller } from './callers.ts';
import type { Random } from './random.ts';

const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 100;

/** A caller with a finished research, a brief, a plan, a feature research and a share link, whose ids they know. */
export async function furnishedCaller(url: string, random: Random): Promise<Caller> {
  const caller = await newCaller(url);
  const ask = async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const answer = await call({ url, token: caller.token }, method, path, body === undefined ? {} : { body });
    if (answer.status < 300) caller.learn(path.split('/')[1] ?? '', answer.body);
    return answer;
  };
  const idea = ideaOf(random.int(1_000_000));
  const { body: started } = await ask('POST', '/projects/research', { idea });
  const [project, job] = [String(started['project_id']), String(started['job_id'])];
  await settled(() => ask('GET', `/research/${job}/status`));
  const graph = await ask('POST', '/build-graphs', { idea, project_id: project, auto_select: true });
  const features = [{ id: 'a', name: 'Reminders' }];
  const [brief, study] = [
    await ask('POST', '/briefs', { project_id: project }),
    await ask('POST', '/feature-research', { idea, features, research_id: job }),
  ];
  await settled(() => ask('GET', `/build-graphs/${idOf(graph, 'graph_id')}`));
  await settled(() => ask('GET', `/briefs/${idOf(brief, 'brief_id')}`));
  await settled(() => ask('GET', `/feature-research/${idOf(study, 'job_id')}/status`));
  await ask('POST', `/research/${job}/share`);
  await ask('POST', '/ideas', { idea });
  for (const path of [
    '/products',
    '/v1/cards',
    `/projects/${project}/full`,
    `/projects/${project}/home`,
    `/feature-research/${idOf(study, 'job_id')}`,
  ])
    await ask('GET', path);
  return caller;
}

const idOf = ({ body }: Answered, name: string): string => String(body[name] ?? body['id']);

/** Waits for the end of work; what was refused has none. */
async function settled(look: () => Promise<Answered>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const { status, body } = await look();
    if (status !== 200 || ['completed', 'failed', 'ready'].includes(String(body['status']))) return;
    await pause(LOOK_EVERY_MS);
  }
}
