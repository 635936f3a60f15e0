import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { registryOf, type RegisteredRoute } from '#platform/http/registry.ts';
import { declaredFamilies } from './declared-routes.ts';
import { sampleBody } from './sample-body.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

type Make = (owner: TestUser) => Promise<string>;

const IDEA = 'A habit tracking app with streaks and reminders';

const project: Make = async (owner) => String((await owner.call('POST', '/projects', { title: IDEA })).body['id']);

const research: Make = async (owner) => {
  const jobId = String((await owner.call('POST', '/research', { idea: IDEA })).body['job_id']);
  await owner.call('GET', `/research/${jobId}/events`);
  return jobId;
};

const buildGraph: Make = async (owner) => {
  const body = { idea: IDEA, features: [{ id: 'streaks', label: 'Streaks', source: 'manual' }] };
  const graphId = String((await owner.call('POST', '/build-graphs', body)).body['graph_id']);
  await owner.call('GET', `/build-graphs/${graphId}/events`);
  return graphId;
};

const buildNode: Make = async (owner) => {
  const { body } = await owner.call('GET', `/build-graphs/${await buildGraph(owner)}`);
  return (body['nodes'] as unknown as { id: string }[])[0]?.id ?? '';
};

const brief: Make = async (owner) => {
  const { project_id: projectId, job_id: jobId } = (await owner.call('POST', '/projects/research', { idea: IDEA })).body;
  await owner.call('GET', `/research/${String(jobId)}/events`);
  const briefId = String((await owner.call('POST', '/briefs', { project_id: projectId })).body['brief_id']);
  await owner.call('GET', `/briefs/${briefId}/events`);
  return briefId;
};

/** Makes one of what a parameter names; keyed by the path up to and with the parameter. */
const MAKE: Record<string, Make> = {
  '/projects/{id}': project,
  '/projects/{project_id}': project,
  '/projects/{id}/tabs/{tab}': async () => 'research',
  '/research/{job_id}': research,
  '/feature-research/{job_id}': async (owner) => {
    const body = { idea: IDEA, features: [{ id: 'streaks', name: 'Streaks' }] };
    const jobId = String((await owner.call('POST', '/feature-research', body)).body['job_id']);
    await owner.call('GET', `/feature-research/${jobId}/events`);
    return jobId;
  },
  '/build-graphs/{graph_id}': buildGraph,
  '/build-nodes/{node_id}': buildNode,
  '/briefs/{brief_id}': brief,
  '/briefs/{brief_id}/sections/{section_type}': async () => 'positioning',
  '/profile/mcp-tokens/{id}': async (owner) => String((await owner.call('POST', '/profile/mcp-tokens', {})).body['id']),
  '/products/{card_id}': async (owner) => String((await owner.call('POST', '/ideas', { idea: IDEA })).body['id']),
};

/** Bodies where not any will do: here the caller's own project, so that only the research is another user's. */
const BODIES: Record<string, (caller: TestUser) => Promise<unknown>> = {
  'POST /build-graphs/{graph_id}/sources': async (caller) => ({ research_id: await research(caller), link_type: 'context' }),
  'PATCH /research/{job_id}': async (caller) => ({ project_id: await project(caller) }),
};

/** Routes on which the owner as well gets 404, because what was made has none of it. */
const NOTHING_THERE = new Set(['GET /projects/{project_id}/build-graph']);

/** What is named is everybody's, or everybody has something of their own under it. */
const EVERYBODYS = new Set(['POST /clips/{slug}/send-to-me', 'DELETE /push-tokens/preferences/{id}']);

const owned = registryOf(declaredFamilies()).filter(
  ({ method, path, auth }) => path.includes('{') && (auth === 'required' || auth === 'stream') && !EVERYBODYS.has(`${method} ${path}`),
);

const parametersOf = (path: string): string[] => [...path.matchAll(/\{\w+\}/g)].map((match) => path.slice(0, match.index + match[0].length));

async function addressOf(path: string, owner: TestUser): Promise<string> {
  let address = path;
  for (const key of parametersOf(path)) address = address.replace(/\{\w+\}/, (await MAKE[key]?.(owner)) ?? 'none');
  return address;
}

async function call({ method, path, declared }: RegisteredRoute, address: string, caller: TestUser): Promise<number> {
  const own = BODIES[`${method} ${path}`];
  const body = own ? await own(caller) : declared.body && declared.emptyBody !== 'allowed' ? sampleBody(declared.body as never) : undefined;
  return (await caller.call(method as 'GET', address, body)).status;
}

describe('what belongs to a user', () => {
  it('has a maker for every parameter of an owned route: add one to MAKE for a new kind of thing', () => {
    const missing = owned.flatMap(({ path }) => parametersOf(path)).filter((key) => !(key in MAKE));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('is there to be tried at all', () => {
    expect(owned.length).toBeGreaterThanOrEqual(16);
  });
});

describe.each(owned.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  it('answers 401 without a bearer, 404 to others, signed in or not, and not to the owner [R010 R012 R032 R043]', async () => {
    const owner = await app.user();
    const address = await addressOf(route.path, owner);
    const nobody = await app.server.fastify.inject({ method: route.method as 'GET', url: address });
    expect(nobody.statusCode).toBe(401);
    expect(nobody.json()).toEqual({ detail: 'Missing Bearer token' });
    expect(await call(route, address, await app.user())).toBe(404);
    expect(await call(route, address, await app.anonymous())).toBe(404);
    const mine = await call(route, address, owner);
    if (NOTHING_THERE.has(name)) expect(mine).toBe(404);
    else expect(mine).toBeLessThan(400);
  });
});
