import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { openPayloadServer } from '#testing/payload-server.ts';
import { waveForm } from '#testing/wave-form.ts';

const payload = await openPayloadServer();
const app = await startTestApp({ env: { CONTENT_BASE_URL: payload.service.baseUrl, CONTENT_API_KEY: payload.service.apiKey } });
afterAll(async () => {
  await app.dispose();
  await payload[Symbol.asyncDispose]();
});
beforeEach(() => Object.assign(payload, { isUp: true, faults: [] }));
const { db } = app.ctx;

async function newBrief(owner: TestUser): Promise<{ briefId: string; projectId: string }> {
  const { project_id: projectId, job_id: jobId } = (
    await owner.call('POST', '/projects/research', { idea: `A habit tracking app with streaks ${randomUUID()}` })
  ).body;
  await owner.call('GET', `/research/${String(jobId)}/events`);
  const briefId = String((await owner.call('POST', '/briefs', { project_id: projectId })).body['brief_id']);
  await owner.call('GET', `/briefs/${briefId}/events`);
  return { briefId, projectId: String(projectId) };
}
const publish = (owner: TestUser, briefId: string) => owner.call('POST', `/briefs/${briefId}/publish-clip`);
const docOf = (slug: string) => payload.docs.find((doc) => doc.slug === slug);
const pageStatus = async (slug: string) => (await app.server.fastify.inject({ url: `/clip/${slug}`, remoteAddress: '203.0.113.9' })).statusCode;

describe('a brief that is published', () => {
  it('is a page of blocks with a snapshot of the research, listed with the project; again it is the same page, brought up to date [R182 R656 R657 R921]', async () => {
    const owner = await app.user();
    const { briefId, projectId } = await newBrief(owner);
    const first = await publish(owner, briefId);
    expect(first.status, first.text).toBe(200);
    const slug = String(first.body['slug']);
    expect(first.body).toEqual({
      url: `${app.ctx.config.http.baseUrl}/clip/${slug}`,
      slug: expect.stringMatching(/^brief-[a-z0-9-]+-[0-9a-f]{12}$/),
    });
    const doc = docOf(slug);
    expect(doc).toMatchObject({
      published: true,
      project_id: projectId,
      research: { product_category: expect.any(String), score: expect.any(Number) },
    });
    const kinds = ((doc?.['blocks'] ?? []) as { blockType: string }[]).map(({ blockType }) => blockType);
    expect(kinds).toEqual([
      'hero',
      'stats',
      'richText',
      'featureList',
      ...kinds.slice(4).filter((kind) => kind === 'richText'),
      'divider',
      'voteClip',
      'roast_clip',
      'callToAction',
    ]);
    const told = JSON.stringify(doc);
    for (const hidden of [owner.userId, briefId]) expect(told.replaceAll(slug, '')).not.toContain(hidden);
    const home = (await owner.call('GET', `/projects/${projectId}/home`)).body['clips'];
    expect(home).toEqual([{ slug, target_type: 'brief', target_id: briefId, created_at: expect.any(String) }]);
    expect((await owner.call('GET', `/projects/${projectId}/tabs/clips`)).body).toMatchObject({ items: home, has_more: false });

    await sql`update briefs set title = 'Another title' where id = ${briefId}`.execute(db);
    expect((await publish(owner, briefId)).body).toEqual(first.body);
    expect(payload.docs.filter((each) => each.slug.endsWith(slug.slice(-12))).map(({ title }) => title)).toEqual(['Another title']);
  });

  it('is one page, however many publish it at once', async () => {
    const owner = await app.user();
    const { briefId } = await newBrief(owner);
    const answers = await Promise.all(Array.from({ length: 8 }, () => publish(owner, briefId)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body['slug'])).size).toBe(1);
    expect(payload.docs.filter(({ slug }) => slug === String(answers[0]?.body['slug']))).toHaveLength(1);
  });

  it('answers 502 when the store fails, is on no list then, and goes through afterwards [R658]', async () => {
    const owner = await app.user();
    const { briefId, projectId } = await newBrief(owner);
    payload.isUp = false;
    expect((await publish(owner, briefId)).status).toBe(502);
    payload.isUp = true;
    for (const fault of ['garbage', 'lost', 500] as const) {
      payload.faults = [undefined, fault];
      expect((await publish(owner, briefId)).status, String(fault)).toBe(502);
    }
    expect((await owner.call('GET', `/projects/${projectId}/home`)).body['clips']).toEqual([]);
    expect((await publish(owner, briefId)).status).toBe(200);
    expect((await owner.call('GET', `/projects/${projectId}/home`)).body['clips']).toHaveLength(1);
  });

  it('is not, while it is written: 409; nor by anybody else: 404', async () => {
    const owner = await app.user();
    const { briefId } = await newBrief(owner);
    await sql`update briefs set status = 'generating' where id = ${briefId}`.execute(db);
    expect(await publish(owner, briefId)).toMatchObject({ status: 409, body: { detail: 'The brief is not ready' } });
    expect((await publish(await app.user(), briefId)).status).toBe(404);
    expect((await publish(owner, randomUUID())).status).toBe(404);
  });

  it.each(['brief', 'project'] as const)(
    'is gone at once when the %s is deleted, and from the store as soon as that answers, with what was said of it',
    async (what) => {
      const owner = await app.user();
      const { briefId, projectId } = await newBrief(owner);
      const slug = String((await publish(owner, briefId)).body['slug']);
      await app.server.fastify.inject({ method: 'POST', url: `/clip/${slug}/vote`, payload: { vote: 1, comment: 'Yes' } });
      expect((await fetch(`${app.url}/clip/${slug}/roast`, { method: 'POST', body: waveForm(300) })).status).toBe(200);
      const { rows } = await sql<{ blob_key: string }>`select blob_key from clip_roasts where slug = ${slug}`.execute(db);
      const signed = new URL(await app.ctx.blobs.sign(rows[0]?.blob_key ?? '', 300));
      const recording = async () => (await fetch(`${app.url}${signed.pathname}${signed.search}`)).status;
      expect(await recording()).toBe(200);
      payload.isUp = false;
      expect((await owner.call('DELETE', what === 'brief' ? `/briefs/${briefId}` : `/projects/${projectId}`)).status).toBeLessThan(300);
      payload.isUp = true;
      expect(await pageStatus(slug)).toBe(404);
      await expect.poll(() => docOf(slug), { timeout: 30_000 }).toBe(undefined);
      await expect.poll(recording, { timeout: 30_000 }).toBe(404);
      const count = async (table: string) => (await sql.raw(`select from ${table} where slug = '${slug}'`).execute(db)).rows.length;
      await expect.poll(() => count('clips'), { timeout: 30_000 }).toBe(0);
      expect(await count('clip_roasts')).toBe(0);
      // Votes are on the project.
      expect(await count('clip_votes')).toBe(what === 'brief' ? 1 : 0);
    },
  );

  it('belongs to the user that its anonymous owner turns out to be', async () => {
    const anonymous = await app.anonymous();
    const { briefId, projectId } = await newBrief(anonymous);
    const slug = String((await publish(anonymous, briefId)).body['slug']);
    const user = await app.user();
    expect((await user.call('GET', `/clip/${slug}/roasts`)).status).toBe(404);
    await user.call('POST', '/auth/rebind', { device_id: anonymous.deviceId });
    await expect.poll(async () => (await user.call('GET', `/clip/${slug}/roasts`)).status, { timeout: 30_000 }).toBe(200);
    expect((await user.call('GET', `/projects/${projectId}/home`)).body['clips']).toHaveLength(1);
    expect((await publish(user, briefId)).body['slug']).toBe(slug);
  });
});
