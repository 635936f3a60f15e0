import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { wave } from '#testing/wave-form.ts';

const ADMIN = 'the-secret-of-the-operator';
const app = await startTestApp({ env: { ADMIN_SECRET: ADMIN } });
afterAll(() => app.dispose());
const { db } = app.ctx;

it('smoke', async () => {
  const user = await app.user();
  const { project_id: projectId, job_id: jobId } = (await user.call('POST', '/projects/research', { idea: 'A habit tracking app with streaks' })).body;
  await user.call('GET', `/research/${String(jobId)}/events`);
  const briefId = String((await user.call('POST', '/briefs', { project_id: projectId })).body['brief_id']);
  await user.call('GET', `/briefs/${briefId}/events`);
  const a = await user.call('POST', `/briefs/${briefId}/publish-clip`);
  console.log(a.status, a.body);
  const page = await user.call('GET', `/clip/${String(a.body['slug'])}`);
  console.log(page.status, page.headers, page.text.slice(-6000));
  const vote = await user.call('POST', `/clip/${String(a.body['slug'])}/vote`, { vote: 1 });
  console.log(vote.status, vote.body);
  console.log((await user.call('GET', `/projects/${String(projectId)}/home`)).body['clips']);
});
