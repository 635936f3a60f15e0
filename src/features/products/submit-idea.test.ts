import { afterAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { startTestApp, type Called, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';

const waiting = await startTestApp({ env: { ROLES: 'api' } });
const working = await startTestApp();
afterAll(() => Promise.all([waiting.dispose(), working.dispose()]));

const submit = (user: TestUser, ideas: readonly string[]): Promise<Called[]> =>
  Promise.all(ideas.map((idea) => user.call('POST', '/ideas', { idea })));

const four = (idea: string): string[] => [idea, idea, idea, idea];

/** The same words in other orders: texts of one meaning. */
function retold(idea: string): string[] {
  const words = idea.split(' ');
  return words.slice(0, 4).map((_word, turn) => [...words.slice(turn), ...words.slice(0, turn)].join(' '));
}

/** What the answers have in common, and how many projects and researches the user has. */
async function outcomeOf(user: TestUser, answers: readonly Called[]) {
  const projects = (await user.call('GET', '/projects?limit=100')).body['items'] as unknown as { research_count: number }[];
  const distinct = (name: string) => new Set(answers.map(({ body }) => body[name])).size;
  return {
    statuses: [...new Set(answers.map(({ status }) => status))],
    cards: distinct('id'),
    researches: distinct('research_job_id'),
    projects: projects.length,
    started: projects.reduce((sum, project) => sum + project.research_count, 0),
  };
}

const ONE = { statuses: [202], cards: 1, researches: 1, projects: 1, started: 1 };

describe('an idea that is submitted several times at once', () => {
  it('becomes one card with one research for all of them', async () => {
    const user = await waiting.user();
    expect(await outcomeOf(user, await submit(user, four(newIdea())))).toEqual(ONE);
  });

  it('becomes one card with one research also in other words', async () => {
    const user = await waiting.user();
    expect(await outcomeOf(user, await submit(user, retold('Borrowing garden tools between neighbours with reminders')))).toEqual(ONE);
  });

  it('becomes one card when its research was started elsewhere', async () => {
    const user = await waiting.user();
    const idea = newIdea();
    expect((await user.call('POST', '/research', { idea })).status).toBe(202);
    expect(await outcomeOf(user, await submit(user, four(idea)))).toEqual(ONE);
  });

  it('becomes a card while its research is started elsewhere', async () => {
    const user = await waiting.user();
    const idea = newIdea();
    const [research, ...cards] = await Promise.all([
      user.call('POST', '/research', { idea }),
      ...four(idea).map((text) => user.call('POST', '/ideas', { idea: text })),
    ]);
    expect([202, 409]).toContain(research?.status);
    expect(await outcomeOf(user, cards)).toEqual(ONE);
  });

  it('becomes one card with one copy of a research that is there', async () => {
    const user = await working.user();
    const idea = newIdea();
    const jobId = String((await user.call('POST', '/research', { idea })).body['job_id']);
    await readNdjson(`${working.url}/research/${jobId}/events`, user.token);
    expect(await outcomeOf(user, await submit(user, four(idea)))).toEqual(ONE);
  });

  it('is researched again once when its research had failed', async () => {
    const user = await waiting.user();
    const idea = newIdea();
    const [first] = await submit(user, [idea]);
    await sql`update research_jobs set status = 'failed' where id = ${first?.body['research_job_id']}`.execute(waiting.ctx.db);
    const answers = await submit(user, four(idea));
    expect(await outcomeOf(user, answers)).toEqual({ ...ONE, started: 2 });
    expect(answers[0]?.body['id']).toBe(first?.body['id']);
  });
});
