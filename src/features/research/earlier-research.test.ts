import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { marketArtifact } from '#testing/market-artifact.ts';
import { startScriptedModel } from '#testing/scripted-model-server.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { forOthers } from './earlier-research.ts';
import { ResearchArtifact, type Evidence } from './schema.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

const MARKET = 'A habit tracking app with streaks and reminders';

async function research(user: TestUser, idea: string): Promise<{ jobId: string; artifact: ResearchArtifact }> {
  const answer = await user.call('POST', '/research', { idea });
  const jobId = String(answer.body['job_id']);
  const lines = await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  const result = lines.find(({ event }) => event === 'result')?.data as ResearchArtifact | undefined;
  if (!result) throw new Error(`no result: ${JSON.stringify(lines.at(-2))}`);
  return { jobId, artifact: result };
}

const publish = (user: TestUser, jobId: string, reuse_scope = 'public') => user.call('PATCH', `/research/${jobId}/scope`, { reuse_scope });
// What one test made public would be earlier research of the next one's users.
afterEach(() => sql`update research_jobs set reuse_scope = 'user'`.execute(app.ctx.db));
/** Compares without printing a whole report when it fails. */
const mentions = (value: unknown, word: string): boolean => (typeof value === 'string' ? value : JSON.stringify(value)).includes(word);
const priorRows = ({ evidence }: ResearchArtifact): Evidence[] => evidence.filter(({ source_kind }) => source_kind === 'prior_research');

describe('earlier research as a source', () => {
  it('is the own one, whatever its scope [R241]', async () => {
    const user = await app.user();
    const first = await research(user, newIdea(MARKET));
    const second = await research(user, newIdea(MARKET));
    expect(priorRows(second.artifact).map((row) => row.source_url)).toContain(`research:${first.jobId}`);
  });

  it('is another user’s only when it is public, and only as long as it is [R267 R294 R295]', async () => {
    const [owner, reader] = [await app.user(), await app.user()];
    const secret = `the owner calls it ${crypto.randomUUID().slice(0, 8)}`;
    const mine = await research(owner, `${MARKET}, ${secret}`);
    const before = await research(reader, newIdea(MARKET));
    expect(mentions(before.artifact, mine.jobId)).toBe(false);
    expect(mentions(before.artifact, secret)).toBe(false);
    await publish(owner, mine.jobId);
    const during = await research(await app.user(), newIdea(MARKET));
    expect(mentions(during.artifact, mine.jobId)).toBe(true);
    await publish(owner, mine.jobId, 'user');
    const after = await research(await app.user(), newIdea(MARKET));
    expect(mentions(after.artifact, mine.jobId)).toBe(false);
    expect(mentions(after.artifact, secret)).toBe(false);
  });
});

/** Gives a completed research the worst verdict, as if it had been found out. */
async function condemn(jobId: string): Promise<void> {
  const { rows } = await sql<{ artifact: ResearchArtifact }>`select artifact from research_jobs where id = ${jobId}`.execute(app.ctx.db);
  const [row] = rows;
  if (!row) throw new Error(`no research ${jobId}`);
  const { recommendation } = row.artifact;
  const artifact = { ...row.artifact, recommendation: { ...recommendation, score: 34, verdict: 'drop' } };
  await sql`update research_jobs set artifact = ${JSON.stringify(artifact)}::json where id = ${jobId}`.execute(app.ctx.db);
}

const TELLING = [/scored 34/i, /\(drop\)/i, /earlier research on/i, /research of \d{4}-/i];
const tells = (body: unknown, ...words: string[]): string[] => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return [...TELLING.flatMap((pattern) => pattern.exec(text)?.[0] ?? []), ...words.filter((word) => text.includes(word))];
};

/** An artifact in the form in which two researches of the same idea are equal: ids by their order, no times. */
function comparable({ evidence, ...artifact }: ResearchArtifact): unknown {
  const places = new Map(evidence.map(({ id }, place) => [id, `source ${place}`]));
  const text = JSON.stringify({ ...artifact, evidence }, (key, value: unknown) => {
    if (['created_at', 'fetched_at', 'ms', 'job_id', 'usage', 'type'].includes(key)) return undefined;
    if (key === 'id' && value === artifact.id) return undefined;
    return value;
  });
  return JSON.parse([...places].reduce((all, [id, place]) => all.replaceAll(id, place), text));
}

describe('research that rests on private earlier research', () => {
  /** A research beside which two private ones of its owner stand, and the same idea researched by somebody who has none. */
  async function restingOnPrivate() {
    const [owner, reader, stranger] = [await app.user(), await app.user(), await app.user()];
    const secret = `code name ${crypto.randomUUID().slice(0, 8)}`;
    const hidden = await research(owner, `${MARKET}, ${secret}`);
    await condemn(hidden.jobId);
    const idea = newIdea(MARKET);
    const shown = await research(owner, idea);
    const alone = await research(stranger, idea);
    expect(tells(shown.artifact, hidden.jobId)).toEqual(expect.arrayContaining(['scored 34', hidden.jobId]));
    await publish(owner, shown.jobId);
    return { owner, reader, stranger, secret, hidden, shown, alone };
  }
  const get = (url: string, accept: string) => app.server.fastify.inject({ method: 'GET', url, headers: { accept } });
  const share = async (user: TestUser, jobId: string): Promise<string> =>
    `/share/${String((await user.call('POST', `/research/${jobId}/share`)).body['share_token'])}`;

  it('reaches a clone of another user as if there had been none: result, cards, rows and every route [R266 R267 R294]', async () => {
    const { reader, secret, hidden, shown, alone } = await restingOnPrivate();
    const project = await reader.call('POST', '/projects/research', { idea: shown.artifact.product_idea });
    expect(project.body).toMatchObject({ cache_action: 'clone' });
    const [jobId, projectId] = [String(project.body['job_id']), String(project.body['project_id'])];
    const lines = await readNdjson(`${app.url}/research/${jobId}/events`, reader.token);
    const clone = lines.find(({ event }) => event === 'result')?.data as ResearchArtifact;
    expect(comparable(clone)).toEqual(comparable(alone.artifact));
    expect(clone.usage).toEqual({});
    const cards = await sql<{ body: unknown }>`select body from cards where research_job_id = ${jobId}`.execute(app.ctx.db);
    const rows = await sql`select source_url, title, snippet from research_evidence where job_id = ${jobId}`.execute(app.ctx.db);
    expect(cards.rows.length).toBeGreaterThan(0);
    const answers = [];
    for (const url of ['', '/full', '/home', '/research']
      .map((part) => `/projects/${projectId}${part}`)
      .concat(`/v1/cards`, `/research/${jobId}/diff`))
      answers.push((await reader.call('GET', url)).text);
    for (const part of [lines, cards.rows, rows.rows, ...answers]) expect(tells(part, secret, hidden.jobId)).toEqual([]);
  });

  it('is shared as if there had been none: page, JSON and picture [R267 R294]', async () => {
    const { owner, stranger, secret, hidden, shown, alone } = await restingOnPrivate();
    const [page, same] = [await share(owner, shown.jobId), await share(stranger, alone.jobId)];
    for (const accept of ['text/html', 'application/json']) {
      const answer = await get(page, accept);
      expect(answer.statusCode).toBe(200);
      expect(tells(answer.payload, secret, hidden.jobId)).toEqual([]);
      expect(answer.payload).not.toContain('"usage"');
    }
    const [given, expected] = [await get(page, 'application/json'), await get(same, 'application/json')];
    expect(comparable(given.json())).toEqual(comparable(expected.json()));
    const [picture, other] = [await get(`${page}/og.png`, 'image/png'), await get(`${same}/og.png`, 'image/png')];
    expect(picture.statusCode).toBe(200);
    expect(picture.rawPayload.equals(other.rawPayload)).toBe(true);
  });

  it('is written into no brief, for every brief can be shared', async () => {
    const { owner, secret, hidden, shown } = await restingOnPrivate();
    const project = String((await owner.call('POST', '/projects', { title: 'Habits', description: newIdea() })).body['id']);
    await owner.call('PATCH', `/research/${shown.jobId}`, { project_id: project });
    const brief = String((await owner.call('POST', '/briefs', { project_id: project, research_id: shown.jobId })).body['brief_id']);
    await readNdjson(`${app.url}/briefs/${brief}/events`, owner.token);
    const own = await owner.call('GET', `/briefs/${brief}`);
    const url = `/share/${String(own.body['share_token'])}`;
    for (const accept of ['text/html', 'application/json']) {
      const answer = await get(url, accept);
      expect(answer.statusCode).toBe(200);
      expect(tells(answer.payload, secret, hidden.jobId, 'prior_research')).toEqual([]);
    }
  });

  it('leaves what rests on earlier research that is public, as long as it is', async () => {
    const { owner, hidden, shown } = await restingOnPrivate();
    const page = await share(owner, shown.jobId);
    await publish(owner, hidden.jobId);
    expect(tells((await get(page, 'application/json')).payload, hidden.jobId)).toEqual(expect.arrayContaining(['scored 34', hidden.jobId]));
    await publish(owner, hidden.jobId, 'user');
    expect(tells((await get(page, 'application/json')).payload, hidden.jobId)).toEqual([]);
  });

  it('shows it to the owner, also in the owner’s own clone, which cost nothing [R265]', async () => {
    const { owner, hidden, shown } = await restingOnPrivate();
    const answer = await owner.call('POST', '/research', { idea: shown.artifact.product_idea });
    const jobId = String(answer.body['job_id']);
    const lines = await readNdjson(`${app.url}/research/${jobId}/events`, owner.token);
    expect(tells(lines, hidden.jobId)).toEqual(expect.arrayContaining(['scored 34', hidden.jobId]));
    expect(lines.find(({ event }) => event === 'result')?.data).toHaveProperty('usage', {});
  });
});

describe('a model', () => {
  it('is told nothing of earlier research, so that no sentence of its can rest on it', async () => {
    await using model = await startScriptedModel();
    const own = await startTestApp({ env: { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted' } });
    try {
      const user = await own.user();
      const ids: string[] = [];
      for (const idea of [newIdea(MARKET), newIdea(MARKET)]) {
        const jobId = String((await user.call('POST', '/research', { idea })).body['job_id']);
        const lines = await readNdjson(`${own.url}/research/${jobId}/events`, user.token);
        ids.push(...lines.flatMap(({ event, data }) => (event === 'result' ? priorRows(data as ResearchArtifact).map(({ id }) => id) : [])));
      }
      expect(ids).toHaveLength(1);
      expect(model.count('synthesize')).toBe(2);
      expect(model.calls.filter(({ prompt }) => tells(prompt, 'research:', 'earlier research').length > 0)).toEqual([]);
    } finally {
      await own.dispose();
    }
  });
});

describe('an artifact of the time when analysts saw earlier research', () => {
  const job = crypto.randomUUID();
  const [prior, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const told = 'An earlier research on “Dog care” scored 34 (drop).';
  const artifact = (): ResearchArtifact => {
    const made = ResearchArtifact.parse(marketArtifact());
    const [acme, ...others] = made.incumbents;
    if (!acme) throw new Error('no rival');
    const row: Evidence = {
      ...(made.evidence[0] as Evidence),
      id: prior,
      source_kind: 'prior_research',
      source_url: `research:${job}`,
      title: 'Secret',
    };
    const named = { ...acme, id: 'secretco', name: 'Secretco', evidence_ids: [prior] };
    return {
      ...made,
      evidence: [...made.evidence, row],
      incumbents: [{ ...acme, evidence_ids: [other, prior] }, named, ...others],
      evidence_against: [{ text: told, evidence_ids: [prior] }, ...made.evidence_against],
      recommendation: {
        ...made.recommendation,
        rationale: `Not sharp enough. Against it: ${told}`,
        reasons_against: [{ text: told, evidence_ids: [prior] }],
      },
    };
  };

  it('loses what cites it alone, and the same sentence in the rationale', () => {
    const left = forOthers(artifact());
    expect(tells(left, prior, job, 'Secret')).toEqual([]);
    expect(left.incumbents[0]?.evidence_ids).toEqual([other]);
    expect(left.recommendation.rationale).toContain('Not sharp enough.');
    expect(ResearchArtifact.safeParse(left).success).toBe(true);
  });

  it('keeps everything while that is public', () => {
    const { quality: _counts, ...left } = forOthers(artifact(), new Set([job]));
    expect(left).toMatchObject({ evidence_against: artifact().evidence_against, incumbents: artifact().incumbents });
  });
});

describe('a clone', () => {
  it('has cards, evidence and vector of its own, and keeps its source’s readiness to build [R255 R265]', async () => {
    const user = await app.user();
    const { jobId, artifact } = await research(user, newIdea(MARKET));
    const clone = String((await user.call('POST', '/research', { idea: artifact.product_idea })).body['job_id']);
    const { rows } = await sql<Record<string, unknown>>`
      select cloned_from, status, score, category_ids, embedding is not null as embedded, artifact -> 'build_readiness' as ready,
             (select count(*)::int from cards where research_job_id = j.id and card_type not like 'build_plan%') as cards,
             (select count(*)::int from research_evidence where job_id = j.id) as evidence
        from research_jobs j where id in (${jobId}, ${clone}) order by created_at`.execute(app.ctx.db);
    const [original, copy] = rows;
    expect(copy).toEqual({ ...original, cloned_from: jobId });
    expect(copy?.['evidence']).toBeGreaterThan(0);
  });

  it('is no source of its own for later research [R267]', async () => {
    const user = await app.user();
    const { artifact } = await research(user, newIdea(MARKET));
    const clone = String((await user.call('POST', '/research', { idea: artifact.product_idea })).body['job_id']);
    const later = await research(user, newIdea(MARKET));
    expect(mentions(later.artifact, clone)).toBe(false);
  });
});
