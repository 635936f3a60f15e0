import { describe, expect, it } from 'vitest';
import {
  anyNumber,
  anyString,
  call,
  completedResearch,
  eventsOf,
  identityToken,
  canSignIn,
  newIdea,
  newUser,
  serviceUrl,
  startResearch,
  timestamp,
  userWith,
  uuid,
  type Json,
} from './black-box.ts';

type Cited = { text?: string; description?: string; evidence_ids: string[] };
/** What of a report its numbers and names stand in. */
type Artifact = {
  evidence: { id: string; title: string; snippet: string }[];
  market: { competitors: { id: string; name: string; features: string[]; evidence_ids: string[] }[] };
  features: { id: string; name: string; held_by: string[]; frequency: number; evidence_ids: string[] }[];
  recommendation: {
    score: number;
    parts: { key: string; score: number; weight: number; evidence_ids: string[] }[];
    reasons_for: Cited[];
    reasons_against: Cited[];
  };
  evidence_against: Cited[];
  whitespaces: Cited[];
  quality: {
    evidence_count: number;
    evidence_by_kind: Record<string, number>;
    fabricated_citations: number;
    unsupported_dropped: number;
    sources: { kept: number }[];
  };
};

const STAGES = ['interpret', 'search', 'judge', 'analyze', 'synthesize', 'persist'];

describe('GET /research/{job_id}/events', () => {
  it('answers 200 with NDJSON whose first line names request and job [R005 R006 R012 R242 R275 R277 R306]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    const response = await fetch(`${serviceUrl}/research/${jobId}/events`, { headers: { authorization: `Bearer ${user.token}` } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const lines = (await response.text()).split('\n');
    expect(lines.at(-1)).toBe('');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      v: 1,
      event: 'stream_start',
      data: { request_id: response.headers.get('x-request-id'), job_id: jobId },
    });
  });

  it('tells the stages in their order, then the result, then done [R237 R307 R308 R311 R313]', async () => {
    const user = await newUser();
    const lines = await eventsOf(user, await startResearch(user, newIdea()));
    const stages = lines.filter(({ event }) => event === 'stage').map(({ data }) => `${String(data['name'])} ${String(data['status'])}`);
    expect(stages).toEqual(STAGES.flatMap((name) => [`${name} started`, `${name} completed`]));
    const kinds = lines.map(({ event }) => event);
    expect(kinds[0]).toBe('stream_start');
    expect(kinds.filter((kind) => kind === 'result')).toHaveLength(1);
    expect(kinds.slice(-2)).toEqual(['result', 'done']);
    expect(kinds.filter((kind) => kind === 'done')).toHaveLength(1);
    expect(lines.at(-1)?.data).toEqual({});
  });

  it('writes exactly three keys on each line, known events only [R242 R309 R310]', async () => {
    const user = await newUser();
    const lines = await eventsOf(user, await startResearch(user, newIdea()));
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(['v', 'event', 'data']);
      expect(line.v).toBe(1);
      expect(['stream_start', 'stage', 'interpretation', 'progress', 'retry', 'result', 'error', 'done']).toContain(line.event);
      if (line.event === 'progress') expect(line.data).toEqual({ message: anyString() });
    }
  });

  it('gives the full artifact as result [R238 R239 R240 R241 R257 R311 R324]', async () => {
    const user = await newUser();
    const idea = newIdea();
    const jobId = await startResearch(user, idea);
    const result = (await eventsOf(user, jobId)).find(({ event }) => event === 'result')?.data as Json;
    expect(result).toMatchObject({
      id: uuid(),
      job_id: jobId,
      product_idea: idea,
      product_category: anyString(),
      product_name: anyString(),
      short_title: anyString(),
      one_line_summary: anyString(),
      recommendation: { score: anyNumber(), verdict: anyString(), rationale: anyString() },
      quality: { overall_score: anyNumber() },
    });
    const { incumbents, emerging, market, features, evidence, recommendation, quality } = result as Record<string, Json[]> & {
      market: { competitors: Json[] };
      recommendation: { score: number };
      quality: { overall_score: number };
    };
    expect((incumbents?.length ?? 0) + (emerging?.length ?? 0)).toBeGreaterThan(0);
    expect(market.competitors).toEqual([...(incumbents ?? []), ...(emerging ?? [])]);
    expect(incumbents?.every((entry) => entry['is_incumbent'] === true)).toBe(true);
    expect(emerging?.every((entry) => entry['is_incumbent'] === false)).toBe(true);
    expect(Array.isArray(features)).toBe(true);
    expect(recommendation.score >= 0 && recommendation.score <= 100).toBe(true);
    expect(quality.overall_score).toBe(recommendation.score);
    expect(evidence?.length ?? 0).toBeGreaterThan(0);
    for (const row of evidence ?? []) {
      expect(row).toEqual({
        id: uuid(),
        source_kind: expect.stringMatching(/^(web|canonical_company|canonical_feature|prior_research)$/),
        source_url: row['source_url'] === null ? null : anyString(),
        title: anyString(),
        snippet: anyString(),
        confidence: row['confidence'] === null ? null : anyNumber(),
        freshness_score: anyNumber(),
        fetched_at: timestamp(),
      });
    }
  });

  it('rests every competitor and every reason on evidence that is listed [R241]', async () => {
    const user = await newUser();
    const result = (await eventsOf(user, await startResearch(user, newIdea()))).find(({ event }) => event === 'result')?.data as Json;
    const known = new Set((result['evidence'] as { id: string }[]).map(({ id }) => id));
    const cited: string[] = [];
    JSON.stringify(result, (name, value: unknown) => {
      if (name === 'evidence_ids') cited.push(...(value as string[]));
      return value;
    });
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter((id) => !known.has(id))).toEqual([]);
    const { competitors } = result['market'] as { competitors: { evidence_ids: string[] }[] };
    for (const competitor of competitors) expect(competitor.evidence_ids.length).toBeGreaterThan(0);
  });

  it.each([
    'Couples forget who paid the groceries and argue at the end of the month. One list of shared costs with a fair split.',
    'Our dental practice loses patients who forget their check-up. Reminders by text and booking online.',
    'Flaky tests make developers press re-run. Something that scores each test and quarantines the worst.',
  ])('follows every name and number of a report to its evidence by id: “%s” [R239 R241]', async (idea) => {
    const user = await newUser();
    const result = (await eventsOf(user, await startResearch(user, idea))).find(({ event }) => event === 'result')?.data as unknown as Artifact;
    const { evidence, market, features, recommendation, quality } = result;
    const said = new Map(evidence.map(({ id, title, snippet }) => [id, `${title} ${snippet}`]));
    const saidBy = (ids: readonly string[]): string => ids.map((id) => said.get(id) ?? `nothing listed as ${id}`).join(' ');
    expect(market.competitors.length).toBeGreaterThan(3);
    expect(features.length).toBeGreaterThan(3);

    for (const { name, evidence_ids: ids } of market.competitors) expect(saidBy(ids)).toContain(name);
    const names = new Map(market.competitors.map(({ id, name }) => [id, name]));
    for (const { name, held_by: heldBy, frequency, evidence_ids: ids } of features) {
      expect(frequency, name).toBeCloseTo(heldBy.length / market.competitors.length, 2);
      expect(saidBy(ids)).toContain(name);
      for (const holder of heldBy) expect(saidBy(ids)).toContain(names.get(holder) ?? `nobody listed as ${holder}`);
    }
    for (const competitor of market.competitors) {
      for (const feature of competitor.features) expect(features.find(({ id }) => id === feature)?.held_by, feature).toContain(competitor.id);
    }

    const total = recommendation.parts.reduce((sum, { score, weight }) => sum + score * weight, 0);
    expect(Math.abs(total - recommendation.score)).toBeLessThan(1.5);
    for (const { key, evidence_ids: ids } of recommendation.parts) if (key !== 'clarity') expect(ids.length, key).toBeGreaterThan(0);
    expect(quality.evidence_count).toBe(evidence.length);
    expect(Object.values(quality.evidence_by_kind).reduce((sum, count) => sum + count, 0)).toBe(evidence.length);
    expect(quality.sources.reduce((sum, { kept }) => sum + kept, 0)).toBe(evidence.length);
    expect([quality.fabricated_citations, quality.unsupported_dropped]).toEqual([0, 0]);

    const statements = [...recommendation.reasons_for, ...recommendation.reasons_against, ...result.evidence_against, ...result.whitespaces];
    expect(statements.length).toBeGreaterThan(3);
    for (const { text, description, evidence_ids: ids } of statements) {
      const sentence = text ?? description ?? '';
      const named = market.competitors.filter(({ name }) => sentence.includes(name));
      expect(ids.length, sentence).toBeGreaterThan(0);
      expect(saidBy(ids), sentence).not.toContain('nothing listed as');
      expect(
        named.filter(({ name }) => !saidBy(ids).includes(name)).map(({ name }) => name),
        sentence,
      ).toEqual([]);
    }
  });

  it('replays what comes after any cursor, and done once more at and beyond the end [R242 R246 R276 R313]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    const [start, ...all] = await eventsOf(user, jobId);
    expect(start?.event).toBe('stream_start');
    expect(await eventsOf(user, jobId, '?cursor=0')).toEqual([expect.objectContaining({ event: 'stream_start' }), ...all]);
    const { last_event_seq } = (await user.get(`/research/${jobId}/status`)).body;
    expect(last_event_seq).toBe(all.length);
    for (let cursor = 1; cursor < all.length; cursor += 1) {
      const [again, ...rest] = await eventsOf(user, jobId, `?cursor=${cursor}`);
      expect(again?.event).toBe('stream_start');
      expect(rest, `cursor ${cursor}`).toEqual(all.slice(cursor));
    }
    for (const cursor of [all.length, all.length + 1, 1_000_000]) {
      const kinds = (await eventsOf(user, jobId, `?cursor=${cursor}`)).map(({ event }) => event);
      expect(kinds, `cursor ${cursor}`).toEqual(['stream_start', 'done']);
    }
  });

  it('numbers stored events from 1 when include_seq is asked for, stream_start never [R242 R246]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    const [start, ...all] = await eventsOf(user, jobId, '?include_seq=true');
    expect(start).not.toHaveProperty('seq');
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_line, index) => index + 1));
    const [, ...rest] = await eventsOf(user, jobId, '?include_seq=true&cursor=5');
    expect(rest).toEqual(all.slice(5));
    for (const line of await eventsOf(user, jobId, '?include_seq=false')) expect(line).not.toHaveProperty('seq');
  });

  it('gives several readers the same events [R242]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, newIdea());
    const readers = await Promise.all([0, 0, 0, 0, 0].map(() => eventsOf(user, jobId)));
    for (const reader of readers) expect(reader.slice(1)).toEqual(readers[0]?.slice(1));
  });

  it('gives a clone’s result and done [R255 R311 R313]', async () => {
    const user = await newUser();
    const idea = newIdea();
    const original = (await eventsOf(user, await startResearch(user, idea))).find(({ event }) => event === 'result')?.data as Json;
    const clone = await user.post('/research', { idea });
    const jobId = String(clone.body['job_id']);
    const lines = await eventsOf(user, jobId);
    expect(lines.map(({ event }) => event)).toEqual(['stream_start', 'result', 'done']);
    expect(lines[1]?.data).toMatchObject({ job_id: jobId, recommendation: original['recommendation'], market: original['market'] });
    expect(lines[1]?.data['id']).not.toBe(original['id']);
  });

  it.each(['   ', '\n\t  \n', 'asdf asdf', 'hello', '???', '12345', 'make money'])(
    'fails contentless text with EMPTY_INPUT: %j [R256 R312 R322 R323]',
    async (idea) => {
      const user = await newUser();
      const lines = await eventsOf(user, await startResearch(user, idea));
      expect(lines.slice(1).map(({ event, data }) => [event, data])).toEqual([
        ['stage', { name: 'interpret', status: 'started' }],
        ['stage', { name: 'interpret', status: 'failed' }],
        ['error', { code: 'EMPTY_INPUT', message: anyString(), retryable: false }],
        ['done', {}],
      ]);
    },
  );

  it('fails an idea of which nothing is known with EMPTY_OUTPUT [R248 R312 R315 R316 R317]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, 'A pendulum that apologises to the floor');
    const lines = await eventsOf(user, jobId);
    const error = { code: 'EMPTY_OUTPUT', message: anyString(), retryable: false, evidence_count: 0 };
    expect(lines.slice(-2).map(({ event, data }) => [event, data])).toEqual([
      ['error', error],
      ['done', {}],
    ]);
    expect((await user.get(`/research/${jobId}/status`)).body).toMatchObject({ status: 'failed', error });
  });

  it('answers 422 to a cursor below 0 or not a number [R037 R276]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, newIdea());
    for (const cursor of ['-1', 'last', '1.5', '']) expect((await user.get(`/research/${jobId}/events?cursor=${cursor}`)).status, cursor).toBe(422);
    expect((await user.get(`/research/${jobId}/events?include_seq=maybe`)).status).toBe(422);
  });

  it('answers 401 without a bearer, 404 for another user’s [R010 R012 R032 R043]', async () => {
    const jobId = await startResearch(await newUser(), newIdea());
    const none = await call('GET', `/research/${jobId}/events`);
    expect(none.status).toBe(401);
    expect(none.body).toEqual({ detail: 'Missing Bearer token' });
    expect((await (await newUser()).get(`/research/${jobId}/events`)).status).toBe(404);
  });

  it.skipIf(!canSignIn)('is open to an identity JWT as well [R118 R119]', async () => {
    const owner = userWith(await identityToken('user-stream'));
    const jobId = await startResearch(owner, newIdea());
    expect((await eventsOf(owner, jobId)).at(-1)?.event).toBe('done');
  });
});
