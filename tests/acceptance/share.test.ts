import { describe, expect, it } from 'vitest';
import {
  anyAddress,
  anyString,
  call,
  completedResearch,
  detail,
  eventsOf,
  newIdea,
  newProject,
  newUser,
  serviceUrl,
  startResearch,
  type Answer,
  type User,
} from './black-box.ts';

const json = { accept: 'application/json' };

/** Opens a page as somebody at an address of their own, so that no page of another test counts against the limit. */
const open = (token: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call('GET', `/share/${token}`, { headers: { 'x-forwarded-for': anyAddress(), ...headers } });

async function share(user: User, jobId: string): Promise<string> {
  const answer = await user.post(`/research/${jobId}/share`);
  expect(answer.status, answer.text).toBe(200);
  return String(answer.body['share_token']);
}

describe('POST /research/{job_id}/share', () => {
  it('answers 200 without a body, with token and address of a public page [R296 R297]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    const answer = await user.post(`/research/${jobId}/share`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ share_token: expect.stringMatching(/^[\w-]{20,}$/), share_url: anyString() });
    expect(answer.body['share_url']).toBe(`${new URL(String(answer.body['share_url'])).origin}/share/${String(answer.body['share_token'])}`);
    expect((await open(String(answer.body['share_token']))).status).toBe(200);
  });

  it('answers 200 to an empty object as to no body [R296 R297]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    expect((await user.post(`/research/${jobId}/share`, {})).body).toEqual({ share_token: anyString(), share_url: anyString() });
    expect((await call('POST', `/research/${jobId}/share`, { token: user.token, raw: '' })).status).toBe(200);
  });

  it('gives the same token while the share lives, a new one after it was revoked [R296 R297]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    const first = await share(user, jobId);
    expect(await share(user, jobId)).toBe(first);
    await user.delete(`/research/${jobId}/share`);
    const second = await share(user, jobId);
    expect(second).not.toBe(first);
    expect((await open(first)).status).toBe(404);
    expect((await open(second)).status).toBe(200);
  });

  it('answers 400 when the research failed [R298 R300]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, '   ');
    await eventsOf(user, jobId);
    const answer = await user.post(`/research/${jobId}/share`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(detail(/completed/));
  });

  it('answers 400 to a body without a target, with an unknown one, without what it needs, or for a tool that is not connected [R028 R301]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    for (const body of [
      { channel: '#general' },
      { target: 'fax' },
      { target: 'email' },
      { target: 'email', to: 'a@example.org' },
      { target: 'chat' },
      { target: 'docs' },
    ]) {
      expect((await user.post(`/research/${jobId}/share`, body)).status, JSON.stringify(body)).toBe(400);
    }
  });

  it('answers 404 with a target when the research is not completed or missing [R032 R301]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, '   ');
    await eventsOf(user, jobId);
    expect((await user.post(`/research/${jobId}/share`, { target: 'chat' })).status).toBe(404);
    expect((await user.post('/research/b0a1d2c3-0000-4000-8000-000000000000/share', { target: 'chat' })).status).toBe(404);
  });

  it('answers 404 for another user’s [R010 R032]', async () => {
    const jobId = await completedResearch(await newUser(), newIdea());
    const other = await newUser();
    expect((await other.post(`/research/${jobId}/share`)).status).toBe(404);
    expect((await other.delete(`/research/${jobId}/share`)).status).toBe(404);
  });
});

describe('DELETE /research/{job_id}/share', () => {
  it('answers 200 and the page is gone; also when it was never shared [R302]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    expect((await user.delete(`/research/${jobId}/share`)).body).toEqual({ revoked: true });
    const token = await share(user, jobId);
    expect((await open(token, json)).status).toBe(200);
    const answer = await user.delete(`/research/${jobId}/share`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ revoked: true });
    expect((await open(token, json)).status).toBe(404);
  });
});

describe('GET /share/{share_token}', () => {
  it('answers 200 with a page that has Open Graph tags, without a token [R120 R144]', async () => {
    const user = await newUser();
    const page = await open(await share(user, await completedResearch(user, newIdea())));
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    for (const property of ['og:type', 'og:title', 'og:description', 'og:url']) expect(page.text).toContain(`property="${property}"`);
    expect(page.text).not.toMatch(/<script/i);
    expect(page.text).not.toMatch(/\b(undefined|NaN|\[object Object\])/);
  });

  it('answers 200 with JSON when asked for it, without owner, ids of the job or costs [R004 R144]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    const page = await open(await share(user, jobId), json);
    expect(page.status).toBe(200);
    expect(page.body).toMatchObject({ type: 'research', product_idea: anyString(), recommendation: { score: expect.any(Number) } });
    for (const hidden of ['user_id', 'job_id', 'id', 'usage', 'share_token']) expect(page.body).not.toHaveProperty(hidden);
    expect(page.text).not.toContain(jobId);
    if (user.userId) expect(page.text).not.toContain(user.userId);
  });

  it('escapes what came from outside [R144]', async () => {
    const user = await newUser();
    const idea = `Habit tracking app with streaks "><script>alert(1)</script><img src=x onerror=alert(2)> and reminders, number ${Date.now()}`;
    const page = await open(await share(user, await completedResearch(user, idea)));
    expect(page.text).not.toMatch(/<script|<img/i);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('answers 404 to an unknown token [R019 R032]', async () => {
    const answer = await open('no-such-token');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(detail(/not found/i));
  });

  it('answers 422, never 500, to a token that cannot be stored [R037]', async () => {
    expect((await open('%00')).status).toBe(422);
  });

  it('answers 404 once the project is deleted [R227]', async () => {
    const user = await newUser();
    const project_id = await newProject(user);
    const token = await share(user, await completedResearch(user, newIdea(), { project_id }));
    expect((await open(token)).status).toBe(200);
    await user.delete(`/projects/${project_id}`);
    expect((await open(token)).status).toBe(404);
  });

  it('answers 429 with Retry-After to the 31st request of an address within a minute [R038 R039]', async () => {
    let answer = await open('limit');
    for (let count = 0; answer.status !== 429; count += 1) {
      expect(count).toBeLessThan(31);
      answer = await call('GET', '/share/limit');
    }
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await fetch(`${serviceUrl}/share/other`)).status).toBe(429);
  });
});
