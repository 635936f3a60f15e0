import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findJob, readArtifact, researching } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import { ModelError } from '#platform/llm/models.ts';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea, payFor, warmQueues } from '#testing/factories.ts';
import { readNdjson, type Line } from '#testing/read-ndjson.ts';
import { ScriptedModels } from '#testing/scripted-models.ts';
import { appendProgress } from './append-progress.ts';
import { transferBriefs } from './brief-store.ts';
import { briefChannel, briefStream } from './events.ts';
import type { PresentedBrief } from './read-brief.ts';
import { rewritingSections, writingBrief } from './run-brief.ts';
import { findSharedBrief } from './share-brief.ts';
import { SECTION_TYPES } from './states.ts';

const models = new ScriptedModels();

// Without a worker: the tests take the jobs up themselves.
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { models } });
await warmQueues(app.ctx);
afterAll(() => app.dispose());
beforeEach(() => void (models.script = undefined));

const never = new AbortController().signal;
const run = (briefId: string, ctx: AppContext = app.ctx, signal = never) => writingBrief.work(ctx, { briefId }, signal);
const rewriteAll = (briefId: string) => rewritingSections.work(app.ctx, { briefId }, never);

type Made = { user: TestUser; projectId: string; researchId: string; briefId: string };

async function researched(): Promise<Omit<Made, 'briefId'>> {
  const user = await app.user();
  const projectId = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
  const started = await user.call('POST', '/research', { idea: newIdea(), project_id: projectId });
  const researchId = String(started.body['job_id']);
  await researching.work(app.ctx, { jobId: researchId }, never);
  return { user, projectId, researchId };
}

async function queued(): Promise<Made> {
  const made = await researched();
  const answer = await made.user.call('POST', '/briefs', { project_id: made.projectId });
  expect(answer.status).toBe(201);
  return { ...made, briefId: String(answer.body['brief_id']) };
}

async function written(): Promise<Made> {
  const made = await queued();
  await run(made.briefId);
  return made;
}

const read = async ({ user, briefId }: Pick<Made, 'user' | 'briefId'>) =>
  (await user.call('GET', `/briefs/${briefId}`)).body as unknown as PresentedBrief;

const follow = ({ user, briefId }: Pick<Made, 'user' | 'briefId'>, query = ''): Promise<Line[]> =>
  readNdjson(`${app.url}/briefs/${briefId}/events${query}`, user.token);

const regenerate = ({ user, briefId }: Made, section: string) => user.call('POST', `/briefs/${briefId}/sections/${section}/regenerate`);

const ofSections = (lines: Line[]): unknown[] => lines.flatMap(({ event, data }) => (event === 'section_progress' ? [data['section']] : []));

describe('a brief', () => {
  it('is written in seven sections, each told of once, then ready, then done, without stream_start [R604 R627 R628 R662 R663 R665]', async () => {
    const made = await written();
    const lines = await follow(made);
    expect(ofSections(lines).sort()).toEqual([...SECTION_TYPES].sort());
    expect(lines.slice(-2).map(({ event }) => event)).toEqual(['brief_ready', 'done']);
    const brief = await read(made);
    expect(brief).toMatchObject({ status: 'ready', revision: 1, research_id: made.researchId, audience: null });
    for (const { event, data } of lines) if (event === 'section_progress') expect(brief[data['section'] as 'features']).toEqual(data['content']);
    expect(Object.keys(brief.section_meta).sort()).toEqual([...SECTION_TYPES].sort());
  });

  it('cites only evidence of its research, and lists each source once with the sections that cite it [R625]', async () => {
    const made = await written();
    const brief = await read(made);
    const artifact = await readArtifact(app.ctx.db, made.researchId);
    const known = new Set(artifact?.evidence.map(({ id }) => id));
    expect(brief.sources.length).toBeGreaterThan(3);
    for (const { id } of brief.sources) expect(known).toContain(id);
    expect(new Set(brief.sources.map(({ id }) => id)).size).toBe(brief.sources.length);
    for (const section of SECTION_TYPES) {
      const citing = brief.sources.filter(({ sections }) => sections.includes(section)).map(({ id }) => id);
      expect(citing.sort()).toEqual([...(brief.section_meta[section]?.source_ids ?? [])].sort());
      expect(brief.section_meta[section]?.dropped).toBe(0);
    }
  });

  it.each([1, 3, 6])('whose worker is cut off after %i sections goes on with the others, and tells none twice', async (kept) => {
    const made = await queued();
    const cut = new AbortController();
    let left = kept;
    const streams: AppContext['streams'] = {
      ...app.ctx.streams,
      append: async (tx, key, events, options) => {
        if (events.some(({ event }) => event === 'section_progress') && (left -= 1) < 0) {
          cut.abort();
          throw new Error('the process stopped');
        }
        return app.ctx.streams.append(tx, key, events, options);
      },
    };
    await expect(run(made.briefId, { ...app.ctx, streams }, cut.signal)).rejects.toThrow();
    const half = await read(made);
    expect(half.status).toBe('generating');
    expect(Object.keys(half.section_meta)).toHaveLength(kept);
    await run(made.briefId);
    const lines = await follow(made);
    expect(ofSections(lines).sort()).toEqual([...SECTION_TYPES].sort());
    expect(lines.slice(-2).map(({ event }) => event)).toEqual(['brief_ready', 'done']);
    const whole = await read(made);
    for (const [section, meta] of Object.entries(half.section_meta)) expect(whole.section_meta[section as 'features']).toEqual(meta);
  });

  it('that was interrupted before its first section goes on', async () => {
    const made = await queued();
    await expect(run(made.briefId, app.ctx, AbortSignal.abort(new Error('stopping')))).rejects.toThrow();
    expect((await read(made)).status).toBe('generating');
    await run(made.briefId);
    expect(ofSections(await follow(made))).toHaveLength(7);
  });

  it('is not written again once it is ready', async () => {
    const made = await written();
    const before = await read(made);
    await run(made.briefId);
    expect(await read(made)).toEqual(before);
  });

  it('ends with an error when its research is gone or its workers gave up', async () => {
    const made = await queued();
    await sql`delete from research_jobs where id = ${made.researchId}`.execute(app.ctx.db);
    await run(made.briefId);
    expect((await follow(made)).map(({ event }) => event)).toEqual(['error', 'done']);
    expect(await read(made)).toMatchObject({ status: 'failed', error: { code: 'RESEARCH_GONE' } });
    const other = await queued();
    await writingBrief.giveUp(app.ctx, { briefId: other.briefId }, new Error('no'));
    expect(await read(other)).toMatchObject({ status: 'failed', error: { code: 'PIPELINE_ERROR', retryable: true } });
  });

  it('goes with its project, and with it its streams', async () => {
    const made = await written();
    await made.user.call('DELETE', `/projects/${made.projectId}`);
    expect((await made.user.call('GET', `/briefs/${made.briefId}`)).status).toBe(404);
    expect(await app.ctx.streams.head(app.ctx.db, briefStream(made.briefId))).toBeNull();
    expect(await app.ctx.streams.head(app.ctx.db, briefChannel(made.briefId))).toBeNull();
  });

  it('stands on the home of its project and in its tab [R181]', async () => {
    const made = await written();
    const brief = await read(made);
    const home = await made.user.call('GET', `/projects/${made.projectId}/home`);
    const entry = {
      id: made.briefId,
      audience: null,
      share_url: expect.stringMatching(`/share/${brief.share_token}$`),
      created_at: brief.created_at,
    };
    expect(home.body['briefs']).toEqual([entry]);
    const tab = await made.user.call('GET', `/projects/${made.projectId}/tabs/briefs`);
    expect(tab.body['items']).toMatchObject([{ id: made.briefId, status: 'ready' }]);
  });

  it('is announced once when it is ready, and when it failed', async () => {
    const published: unknown[] = [];
    const events: AppContext['events'] = { publish: async (_tx, event, payload) => void published.push([event.name, payload]) };
    const made = await queued();
    await run(made.briefId, { ...app.ctx, events });
    await run(made.briefId, { ...app.ctx, events });
    const { title, quality_score: qualityScore } = await read(made);
    const owner = { briefId: made.briefId, userId: made.user.userId, projectId: made.projectId, researchId: made.researchId };
    expect(published).toEqual([['brief.ready', { ...owner, title, qualityScore }]]);
    const failing = await queued();
    await writingBrief.giveUp({ ...app.ctx, events }, { briefId: failing.briefId }, new Error('no'));
    expect(published[1]).toMatchObject(['brief.failed', { briefId: failing.briefId, code: 'PIPELINE_ERROR', retryable: true }]);
  });

  it('moves with its owner', async () => {
    const made = await written();
    const heir = await app.user();
    await app.ctx.db.transaction().execute((tx) => transferBriefs(tx, made.user.userId, heir.userId));
    expect((await heir.call('GET', `/briefs/${made.briefId}`)).status).toBe(200);
    expect((await made.user.call('GET', `/briefs/${made.briefId}`)).status).toBe(404);
  });

  it('is written by one worker although two took it up', async () => {
    const made = await queued();
    await Promise.all([run(made.briefId), run(made.briefId)]);
    expect(ofSections(await follow(made))).toHaveLength(SECTION_TYPES.length);
  });

  it('is planned from its features', async () => {
    const made = await written();
    const answer = await made.user.call('POST', `/briefs/${made.briefId}/build`);
    expect(answer.status).toBe(201);
    const graph = await made.user.call('GET', `/build-graphs/${String(answer.body['graph_id'])}`);
    expect(graph.body['selected_features']).toHaveLength(Number(answer.body['features_selected']));
    expect(graph.body).toMatchObject({ project_id: made.projectId, research_id: made.researchId });
  });
});

describe('a brief that is shared', () => {
  it('is found by its token once it is ready, without what identifies anyone [R606 R610]', async () => {
    const made = await queued();
    const { share_token: token } = await read(made);
    expect(await findSharedBrief(app.ctx, token)).toBeNull();
    await run(made.briefId);
    const shared = await findSharedBrief(app.ctx, token);
    expect(shared).toMatchObject({ type: 'brief', status: 'ready', revision: 1 });
    const text = JSON.stringify(shared);
    for (const secret of [made.user.userId, made.projectId, made.researchId, made.briefId, token]) expect(text).not.toContain(secret);
    expect(await findSharedBrief(app.ctx, 'nothing')).toBeNull();
  });

  it('that was written from earlier research tells nothing of it', async () => {
    const made = await written();
    const { share_token: token, sources } = await read(made);
    const id = sources[0]?.id ?? '';
    const secret = 'An earlier research scored 34 (drop).';
    await sql`update brief_sections set sources = replace(sources::text, ${`"id":"${id}","source_kind":"canonical_company"`}, ${`"id":"${id}","source_kind":"prior_research"`})::json
      where brief_id = ${made.briefId}`.execute(app.ctx.db);
    await sql`update brief_sections set content = jsonb_set(content::jsonb, '{summary}', ${JSON.stringify([{ text: secret, evidence_ids: [id] }])}::jsonb)::json
      where brief_id = ${made.briefId} and section_type = 'market_map'`.execute(app.ctx.db);
    expect(JSON.stringify(await read(made))).toContain(secret);
    const shared = JSON.stringify(await findSharedBrief(app.ctx, token));
    for (const word of [secret, id, 'prior_research']) expect(shared).not.toContain(word);
  });
});

describe('a section that is asked for anew', () => {
  it('has its revision at once, waits with its earlier text, and leaves the others as they are [R608 R645 R646]', async () => {
    const made = await written();
    const before = await read(made);
    expect((await regenerate(made, 'positioning')).body).toEqual({ status: 'regenerating', section_type: 'positioning', revision: 2 });
    const waiting = await read(made);
    expect(waiting).toMatchObject({
      revision: 2,
      status: 'ready',
      positioning: before.positioning,
      section_meta: { positioning: { status: 'rewriting' } },
    });
    await rewriteAll(made.briefId);
    const after = await read(made);
    expect(after.section_meta.positioning).toMatchObject({ status: 'written', revision: 2 });
    expect(after.positioning).not.toEqual(before.positioning);
    for (const section of SECTION_TYPES) if (section !== 'positioning') expect(after[section]).toEqual(before[section]);
  });

  it('goes on with the stream that had ended, for readers at its end as well [R644]', async () => {
    const made = await written();
    const end = (await follow(made, '?include_seq=true')).at(-1)?.seq ?? 0;
    await regenerate(made, 'features');
    const following = follow(made, `?cursor=${end}`);
    await rewriteAll(made.briefId);
    const later = await following;
    expect(later.map(({ event }) => event)).toEqual(['section_progress', 'done']);
    expect(later[0]?.data['content']).toEqual((await read(made)).features);
    const whole = await follow(made);
    expect(whole.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(whole.at(-1)?.event).toBe('done');
  });

  it('can be asked for several times before any is written: each revision holds what was written for it', async () => {
    const made = await written();
    for (const section of ['positioning', 'mvp_angle', 'positioning']) expect((await regenerate(made, section)).status).toBe(200);
    await rewriteAll(made.briefId);
    const diff = async (from: number, to: number) =>
      (
        (await made.user.call('GET', `/briefs/${made.briefId}/diff?from_revision=${from}&to_revision=${to}`)).body['diff'] as unknown as {
          section_type: string;
        }[]
      ).map(({ section_type: section }) => section);
    expect((await read(made)).revision).toBe(4);
    expect(await diff(1, 2)).toEqual(['positioning']);
    expect(await diff(2, 3)).toEqual(['mvp_angle']);
    expect(await diff(1, 4)).toEqual(['positioning', 'mvp_angle']);
    expect(await diff(4, 4)).toEqual([]);
    expect((await made.user.call('GET', `/briefs/${made.briefId}/diff?from_revision=5`)).status).toBe(422);
  });

  it('is refused while the brief is generated, and for what is no section', async () => {
    const made = await queued();
    expect((await regenerate(made, 'features')).status).toBe(409);
    expect((await regenerate(made, 'poetry')).status).toBe(422);
  });

  it('tells the channel of the brief [R666]', async () => {
    const made = await written();
    await regenerate(made, 'features');
    await rewriteAll(made.briefId);
    expect((await app.ctx.streams.history(briefChannel(made.briefId), 'revision_updated')).map(({ data }) => data)).toEqual([
      { brief_id: made.briefId, revision: 2, cause: 'regenerated', section_type: 'features' },
    ]);
  });

  it('keeps its earlier text when the workers gave up', async () => {
    const made = await written();
    const before = await read(made);
    await regenerate(made, 'features');
    await rewritingSections.giveUp(app.ctx, { briefId: made.briefId }, new Error('no'));
    const after = await read(made);
    expect(after.features).toEqual(before.features);
    expect(after.section_meta.features).toMatchObject({ status: 'written', error: { code: 'PIPELINE_ERROR' } });
    expect((await follow(made)).slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
  });
});

/** Answers with nothing to say of any section but those given. */
const sections = (said: Record<string, unknown>) => ({ ...Object.fromEntries(SECTION_TYPES.map((section) => [section, {}])), ...said });

/** Answers every section with one sound and one invented sentence per place that it names. */
const honestAndLying = (name: string, prompt: string): unknown => {
  const evidence = ['E1'];
  const rival = /^- ([\w-]+): ([^(\n]+) \((?:incumbent|emerging)/m.exec(prompt);
  const sound = { text: `${rival?.[2] ?? ''} is what this idea is held against first.`, evidence };
  const lie = { text: 'Zentrova sold 48123 licences.', evidence };
  if (name !== 'brief_sections') return {};
  return sections({
    market_map: { summary: [sound, lie], segments: [] },
    positioning: { statement: lie, pillars: [sound], against: [], objections: [{ text: sound.text, evidence: ['E999'] }] },
  });
};

describe('a brief written with a model', () => {
  it('asks twice for all of it, keeps the sentences that hold, leaves empty what is left empty, and counts what was dropped', async () => {
    const made = await researched();
    models.script = honestAndLying;
    const before = models.calls.length;
    const started = await made.user.call('POST', '/briefs', { project_id: made.projectId, template: 'short' });
    const briefId = String(started.body['brief_id']);
    await run(briefId);
    const brief = await read({ user: made.user, briefId });
    expect(models.calls.slice(before)).toEqual(['brief_sections', 'brief_sections']);
    expect(brief.status).toBe('ready');
    expect(JSON.stringify(brief)).not.toContain('Zentrova');
    expect(brief.market_map?.summary).toHaveLength(1);
    expect(brief.market_map?.summary[0]?.text).toContain('held against first');
    expect(brief.positioning?.statement).not.toBeNull();
    expect(brief.positioning?.objections).toEqual([]);
    expect(brief.mvp_angle).toMatchObject({ wedge: null, risks: [] });
    expect(brief.section_meta.market_map?.dropped).toBeGreaterThan(0);
    expect(brief.section_meta.positioning?.dropped).toBeGreaterThan(1);
  });

  it('leaves the rest readable when one section fails for good, after having tried again [R642]', async () => {
    const made = await queued();
    let tries = 0;
    models.script = (name) => {
      if (name === 'brief_sections') return sections({ positioning: 'no object' });
      tries += 1;
      throw new ModelError('timeout', 'no answer within 1 s');
    };
    await sql`update briefs set engine = null where id = ${made.briefId}`.execute(app.ctx.db);
    await run(made.briefId);
    const brief = await read(made);
    expect(tries).toBe(2);
    expect(brief.status).toBe('ready');
    expect(brief.positioning).toBeUndefined();
    expect(brief.section_meta.positioning).toMatchObject({ status: 'failed', quality_score: 0, error: { code: 'LLM_TIMEOUT', retryable: true } });
    expect(brief.features?.length).toBeGreaterThan(3);
    models.script = undefined;
    await regenerate(made, 'positioning');
    await rewriteAll(made.briefId);
    const mended = await read(made);
    expect(mended.section_meta.positioning).toMatchObject({ status: 'written', error: null });
    expect(mended.quality_score).toBeGreaterThan(brief.quality_score);
  });

  it('fails when no section can be written, and can be mended section by section', async () => {
    const made = await queued();
    models.script = () => {
      throw new ModelError('refused', 'no');
    };
    await run(made.briefId);
    expect(await read(made)).toMatchObject({ status: 'failed', error: { code: 'LLM_FAILED', retryable: false } });
    expect((await follow(made)).slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
    models.script = undefined;
    await regenerate(made, 'features');
    await rewriteAll(made.briefId);
    expect(await read(made)).toMatchObject({ status: 'ready', error: null, revision: 2 });
  });

  it('that is gone is stood in for by the rules, with a warning, while nothing was paid for', async () => {
    const made = await queued();
    const engine = JSON.stringify({ analyst: 'model', provider: 'llm_a', model: 'm-1' });
    await sql`update briefs set engine = ${engine}::json where id = ${made.briefId}`.execute(app.ctx.db);
    await run(made.briefId);
    expect(await read(made)).toMatchObject({
      status: 'ready',
      error: null,
      warnings: ['The model m-1 is no longer configured; the rules did this instead.'],
    });
  });

  it('that is gone after an answer was paid for fails the brief, which can be tried again', async () => {
    const made = await queued();
    const engine = JSON.stringify({ analyst: 'model', provider: 'llm_a', model: 'm-1' });
    await sql`update briefs set engine = ${engine}::json where id = ${made.briefId}`.execute(app.ctx.db);
    await payFor(app.ctx, `brief:${made.briefId}`);
    await run(made.briefId);
    expect(await read(made)).toMatchObject({ status: 'failed', error: { code: 'LLM_FAILED', retryable: true } });
  });
});

describe('progress', () => {
  const append = (made: Pick<Made, 'user' | 'projectId'>, prNumber: number, summary: string) =>
    app.ctx.db
      .transaction()
      .execute((tx) =>
        appendProgress(
          app.ctx,
          tx,
          { userId: made.user.userId, projectId: made.projectId },
          { prNumber, prUrl: `https://code.example/pull/${prNumber}`, summary },
        ),
      );

  it('is kept once per pull request, each time as a revision that the channel hears of [R621 R714 R716 R717 R718 R719]', async () => {
    const made = await written();
    const before = await read(made);
    expect(await append(made, 7, 'Adds lists')).toEqual({ briefId: made.briefId, revision: 2 });
    await append(made, 8, 'Adds codes');
    await append(made, 7, 'Adds shared lists');
    const brief = await read(made);
    expect(brief.revision).toBe(4);
    expect(brief.progress?.items.map(({ pr_number: number, summary }) => [number, summary])).toEqual([
      [7, 'Adds shared lists'],
      [8, 'Adds codes'],
    ]);
    expect(new Date(brief.updated_at).getTime()).toBeGreaterThan(new Date(before.updated_at).getTime());
    expect(await app.ctx.streams.history(briefChannel(made.briefId), 'revision_updated')).toHaveLength(3);
    expect((await made.user.call('GET', `/briefs/${made.briefId}/diff?from_revision=1`)).body).toMatchObject({ to_revision: 4, changes: 0 });
  });

  it('begins a brief for the founder: from the research where there is one [R637 R638 R715]', async () => {
    const made = await researched();
    const appended = await append(made, 1, 'First');
    const briefId = appended?.briefId ?? '';
    expect(await read({ user: made.user, briefId })).toMatchObject({
      audience: 'founder',
      status: 'generating',
      revision: 2,
      research_id: made.researchId,
    });
    await run(briefId);
    const brief = await read({ user: made.user, briefId });
    expect(brief).toMatchObject({ status: 'ready', revision: 2, progress: { items: [{ pr_number: 1 }] } });
    const since = await made.user.call('GET', `/briefs/${briefId}/diff`);
    expect(since.body).toMatchObject({ from_revision: 1, to_revision: 2, changes: 0 });
  });

  it('begins an empty one that is ready where nothing was researched', async () => {
    const user = await app.user();
    const projectId = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    const briefId = (await append({ user, projectId }, 3, 'Third'))?.briefId ?? '';
    const brief = await read({ user, briefId });
    expect(brief).toMatchObject({
      audience: 'founder',
      status: 'ready',
      research_id: null,
      sources: [],
      section_meta: {},
      progress: { items: [{ pr_number: 3 }] },
    });
    expect((await follow({ user, briefId })).map(({ event }) => event)).toEqual(['brief_ready', 'done']);
    expect((await user.call('POST', `/briefs/${briefId}/build`)).status).toBe(422);
    expect((await user.call('POST', `/briefs/${briefId}/sections/features/regenerate`)).status).toBe(422);
  });

  it('is nobody’s in a project of another', async () => {
    const made = await written();
    expect(await append({ user: await app.user(), projectId: made.projectId }, 1, 'x')).toBeNull();
  });

  it('that comes while a section waits is kept beside what is written later', async () => {
    const made = await written();
    await regenerate(made, 'positioning');
    await append(made, 1, 'Between');
    await rewriteAll(made.briefId);
    const body = (await made.user.call('GET', `/briefs/${made.briefId}/diff`)).body;
    expect(body).toMatchObject({ from_revision: 2, to_revision: 3, changes: 0 });
    expect((await made.user.call('GET', `/briefs/${made.briefId}/diff?from_revision=1`)).body).toMatchObject({ changes: 1 });
  });
});

describe('the research of a brief', () => {
  it('has to be the caller’s and completed [R634 R635]', async () => {
    const made = await researched();
    const post = (user: TestUser, body: object) => user.call('POST', '/briefs', body);
    const waiting = String((await made.user.call('POST', '/research', { idea: newIdea() })).body['job_id']);
    expect((await findJob(app.ctx.db, waiting))?.status).toBe('queued');
    expect((await post(made.user, { project_id: made.projectId, research_id: waiting })).status).toBe(404);
    const other = await researched();
    expect((await post(made.user, { project_id: made.projectId, research_id: other.researchId })).status).toBe(404);
    expect((await post(made.user, { project_id: made.projectId, research_id: made.researchId })).status).toBe(201);
    expect(z.uuid().safeParse(made.researchId).success).toBe(true);
  });
});
