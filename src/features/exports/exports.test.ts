import { afterAll, describe, expect, it } from 'vitest';
import { PrintFailed } from '#platform/rendering/pdf/open-printer.ts';
import { startTestApp, type TestApp, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';

const broken = () => Promise.reject(new PrintFailed('no renderer here'));
const [app, without] = await Promise.all([
  startTestApp(),
  startTestApp({ overrides: { printer: { pdf: broken, png: broken, close: () => Promise.resolve() } } }),
]);
afterAll(() => Promise.all([app.dispose(), without.dispose()]));

async function research(on: TestApp, user: TestUser, idea = newIdea()): Promise<string> {
  const jobId = String((await user.call('POST', '/research', { idea })).body['job_id']);
  await readNdjson(`${on.url}/research/${jobId}/events`, user.token);
  return jobId;
}

async function graph(on: TestApp, user: TestUser): Promise<string> {
  const features = ['Shared lists', 'Offline mode', 'Expiry date reminders'].map((label) => ({ id: label, label, source: 'manual' }));
  const created = await user.call('POST', '/build-graphs', { idea: 'A grocery list for roommates', features });
  const graphId = String(created.body['graph_id']);
  await readNdjson(`${on.url}/build-graphs/${graphId}/events`, user.token);
  return graphId;
}

async function brief(on: TestApp, user: TestUser): Promise<string> {
  const projectId = String((await user.call('POST', '/projects', { title: newIdea(), description: '' })).body['id']);
  const started = await user.call('POST', '/research', { idea: newIdea(), project_id: projectId });
  await readNdjson(`${on.url}/research/${String(started.body['job_id'])}/events`, user.token);
  const created = await user.call('POST', '/briefs', { project_id: projectId, research_id: started.body['job_id'] });
  const briefId = String(created.body['brief_id']);
  await readNdjson(`${on.url}/briefs/${briefId}/events`, user.token);
  return briefId;
}

describe('a research as a file', () => {
  it('is a PDF named after the idea', async () => {
    const user = await app.user();
    const answer = await user.call('GET', `/research/${await research(app, user)}/export?format=pdf`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/pdf');
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[^"]*habit[^"]* market-research\.pdf"; filename\*=UTF-8''/i);
    expect(answer.text.slice(0, 5)).toBe('%PDF-');
  });

  it('is plain text with the same words when the renderer is not there', async () => {
    const user = await without.user();
    const answer = await user.call('GET', `/research/${await research(without, user)}/export`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['content-disposition']).toContain('.txt"');
    for (const heading of ['Competitors', 'Who has what', 'Next steps', 'Sources']) expect(answer.text).toContain(`\n${heading}\n`);
    expect(answer.text).not.toMatch(/undefined|NaN|\[object/);
  });

  it('is refused before it is completed, in another format, and to others', async () => {
    const user = await app.user();
    const jobId = await research(app, user);
    expect((await user.call('GET', `/research/${jobId}/export?format=docx`)).status).toBe(422);
    expect((await user.call('GET', '/research/nothing/export')).status).toBe(422);
    expect((await (await app.user()).call('GET', `/research/${jobId}/export`)).status).toBe(404);
    const failed = await research(app, user, '   ');
    expect((await user.call('GET', `/research/${failed}/export`)).status).toBe(409);
  });
});

describe('a build graph as a file', () => {
  it('is a PDF named after the idea, with a build-plan suffix', async () => {
    const user = await app.user();
    const answer = await user.call('GET', `/build-graphs/${await graph(app, user)}/export`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-disposition']).toContain('filename="A grocery list for roommates build-plan.pdf"');
    expect(answer.text.slice(0, 5)).toBe('%PDF-');
  });

  it('says rationale, nodes and status in this order, nodes indented', async () => {
    const user = await without.user();
    const { text } = await user.call('GET', `/build-graphs/${await graph(without, user)}/export`);
    const places = ['Build order rationale', 'Nodes', 'Status'].map((heading) => text.indexOf(`\n${heading}\n`));
    expect(places.every((place, index) => place > (places[index - 1] ?? 0))).toBe(true);
    expect(text).toMatch(/\n[◆ ] 1 \S.*\n {4}\S[\s\S]*\n {2}[◆ ] \d+\.1 \S/);
    expect(text).toMatch(/\n {2}◆ \d+\.\d+ .* \(/);
  });

  it('is refused in another format and to others', async () => {
    const user = await app.user();
    const graphId = await graph(app, user);
    expect((await user.call('GET', `/build-graphs/${graphId}/export?format=png`)).status).toBe(422);
    expect((await (await app.user()).call('GET', `/build-graphs/${graphId}/export`)).status).toBe(404);
  });
});

describe('a brief as a file', () => {
  it('is a PDF, or plain text, and nothing to others', async () => {
    const user = await app.user();
    const briefId = await brief(app, user);
    const answer = await user.call('GET', `/briefs/${briefId}/export?format=pdf`);
    expect(answer.status).toBe(200);
    expect(answer.text.slice(0, 5)).toBe('%PDF-');
    expect((await user.call('GET', `/briefs/${briefId}/export?format=html`)).status).toBe(422);
    expect((await (await app.user()).call('GET', `/briefs/${briefId}/export`)).status).toBe(404);
    const other = await without.user();
    const plain = await other.call('GET', `/briefs/${await brief(without, other)}/export`);
    expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(plain.text).toContain('\nMarket map\n');
  });
});
