import { describe, expect, it } from 'vitest';
import { call, completedResearch, detail, eventsOf, newIdea, newUser, serviceUrl, startResearch, type User } from './black-box.ts';
import { readNdjson } from '#testing/read-ndjson.ts';

const MISSING = 'b0a1d2c3-0000-4000-8000-000000000000';

/** A document as it is kept: its first bytes, type and name. */
async function download(user: User, path: string) {
  const response = await fetch(`${serviceUrl}${path}`, { headers: { authorization: `Bearer ${user.token}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), name: response.headers.get('content-disposition'), bytes };
}

async function readyGraph(user: User, idea: string): Promise<string> {
  const features = [{ id: 'reminders', label: 'Reminders', source: 'manual' }];
  const created = await user.post('/build-graphs', { idea, features });
  expect(created.status, created.text).toBe(201);
  const graphId = String(created.body['graph_id']);
  await readNdjson(`${serviceUrl}/build-graphs/${graphId}/events`, user.token);
  return graphId;
}

describe('GET /research/{job_id}/export', () => {
  it('answers 200 with a PDF as attachment [R304]', async () => {
    const user = await newUser();
    const file = await download(user, `/research/${await completedResearch(user, newIdea())}/export?format=pdf`);
    expect(file.status).toBe(200);
    expect(file.type).toBe('application/pdf');
    expect(file.name).toMatch(/^attachment; filename=".+\.pdf"/);
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('answers 409 while the research is not completed [R304]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, '   ');
    await eventsOf(user, jobId);
    const answer = await user.get(`/research/${jobId}/export`);
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual(detail(/completed/));
  });

  it('answers 422 to another format, 404 to another user and 401 without a token [R304 R032]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    expect((await user.get(`/research/${jobId}/export?format=docx`)).status).toBe(422);
    expect((await (await newUser()).get(`/research/${jobId}/export`)).status).toBe(404);
    expect((await call('GET', `/research/${jobId}/export`)).status).toBe(401);
  });
});

describe('GET /build-graphs/{graph_id}/export', () => {
  it('answers 200 with a PDF named after the idea with a build-plan suffix; pdf is the default [R482 R538 R539 R540 R541]', async () => {
    const user = await newUser();
    const graphId = await readyGraph(user, 'Habit tracking with reminders');
    for (const query of ['', '?format=pdf']) {
      const file = await download(user, `/build-graphs/${graphId}/export${query}`);
      expect(file.status).toBe(200);
      expect(file.type).toBe('application/pdf');
      expect(file.name).toMatch(/^attachment; filename="Habit tracking with reminders.*build-plan\.pdf"/);
      expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    }
  });

  it('answers 422 to another format and 404 to what is missing or not owned [R538 R032]', async () => {
    const user = await newUser();
    const graphId = await readyGraph(user, newIdea());
    expect((await user.get(`/build-graphs/${graphId}/export?format=png`)).status).toBe(422);
    expect((await (await newUser()).get(`/build-graphs/${graphId}/export`)).status).toBe(404);
    expect((await user.get(`/build-graphs/${MISSING}/export`)).status).toBe(404);
  });
});

describe('GET /briefs/{brief_id}/export', () => {
  it('answers 200 with a PDF, 422 to another format, 404 to another user [R653 R655 R032]', async () => {
    const user = await newUser();
    const started = await user.post('/projects/research', { idea: newIdea() });
    const jobId = String(started.body['job_id']);
    await eventsOf(user, jobId);
    const created = await user.post('/briefs', { project_id: started.body['project_id'], research_id: jobId });
    const briefId = String(created.body['brief_id']);
    await readNdjson(`${serviceUrl}/briefs/${briefId}/events`, user.token);
    const file = await download(user, `/briefs/${briefId}/export?format=pdf`);
    expect(file.status).toBe(200);
    expect(file.type).toBe('application/pdf');
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await user.get(`/briefs/${briefId}/export?format=txt`)).status).toBe(422);
    expect((await (await newUser()).get(`/briefs/${briefId}/export`)).status).toBe(404);
  });
});
