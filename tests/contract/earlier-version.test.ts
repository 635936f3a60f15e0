import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, emptyTestDatabase, type TestApp, type TestUser } from '#testing/app.ts';
import { declaredFamilies } from './declared-routes.ts';

const FOLDER = join(import.meta.dirname, 'dumps');
/** Reads that need more than their path. */
const QUERIES: Record<string, string> = {
  '/projects/search': 'q=habit',
  '/briefs/{brief_id}/diff': 'from=1&to=2',
  '/research/{job_id}/diff': 'compare_to={job_id}',
};
/** A caller is known by its token alone; what operators read is no user's, and a socket is no read. */
const NO_READS = new Set(['admin', 'ws']);
/** Where the paths of things begin of which earlier versions had none. */
const YOUNGER = ['/clip/'];
const READS = declaredFamilies().flatMap(({ routes }) =>
  routes.filter(({ method, path, guard }) => method === 'GET' && !NO_READS.has(guard.auth) && !YOUNGER.some((begin) => path.startsWith(begin))),
);

type Earlier = { user: string; ids: Record<string, string> };

/** A database that an earlier version filled (`scripts/make-dump.ts`), opened by the service of today. */
async function open(name: string): Promise<{ app: TestApp; earlier: Earlier; user: TestUser; drop(): Promise<void> }> {
  const { database, drop } = await emptyTestDatabase();
  await database.query(gunzipSync(readFileSync(join(FOLDER, `${name}.sql.gz`))).toString());
  // A dump leaves the connection without a search path.
  await database.query('reset all');
  const app = await startTestApp({ overrides: { database } });
  const earlier = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Earlier;
  const user = await app.userCalled(earlier.user);
  return { app, earlier, user, drop };
}

describe.each(['before-runs'])('a database of the version %s', async (name) => {
  const { app, earlier, user, drop } = await open(name);
  const { ids } = earlier;
  afterAll(async () => {
    await app.dispose();
    await drop();
  });
  const pathOf = (path: string): string => {
    const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, field: string) => idOf(path, field));
    const query = QUERIES[path];
    return query ? `${filled(path)}?${filled(query)}` : filled(path);
  };
  const idOf = (path: string, field: string): string => {
    const isFeatures = path.startsWith('/feature-research/') && field === 'job_id';
    const found = { ...ids, id: ids['project_id'], tab: 'research', slug: ids['share_token'] }[isFeatures ? 'feature_job_id' : field];
    if (!found) throw new Error(`no ${field} for ${path}`);
    return found;
  };

  it('lets a run that was cut off go on to its end', async () => {
    await expect
      .poll(async () => (await user.call('GET', `/research/${ids['cut_job_id']}/status`)).body['status'], { timeout: 30_000 })
      .toBe('completed');
  });

  it.each(READS.map(({ path }) => path))('answers GET %s', async (path) => {
    const answer = await user.call('GET', pathOf(path));
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    expect(answer.text.length).toBeGreaterThan(0);
  });

  it('goes on with what it finds', async () => {
    expect((await user.call('POST', `/build-nodes/${ids['node_id']}/risk`, {})).status).toBe(200);
    expect((await user.call('POST', `/briefs/${ids['brief_id']}/sections/positioning/regenerate`, {})).status).toBe(200);
    expect((await user.call('POST', '/briefs', { project_id: ids['project_id'], research_id: ids['job_id'] })).status).toBe(201);
  });
});
