import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { gatedSearch, newGate, newIdea } from '#testing/factories.ts';

const gate = newGate();
const app = await startTestApp({ overrides: { search: gatedSearch(gate) } });
const release = gate.close();
afterAll(async () => {
  release();
  await app.dispose();
});

const ROUNDS = 8;

describe('requests that come at the same time', () => {
  it.each(['/research', '/projects/research'])(
    '%s with one key and one body start one research: 202 once, 200 for the others [R208 R268]',
    async (path) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const user = await app.user();
        const [idea, header] = [newIdea(), { 'idempotency-key': randomUUID() }];
        const answers = await Promise.all([1, 2, 3].map(() => user.call('POST', path, { idea }, header)));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 202]);
        expect(new Set(answers.map(({ body }) => body['job_id'])).size).toBe(1);
      }
    },
  );

  it('with one key and different bodies start one research: 202 once, 409 for the others [R033]', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await app.user();
      const header = { 'idempotency-key': randomUUID() };
      const answers = await Promise.all([1, 2, 3].map(() => user.call('POST', '/research', { idea: newIdea() }, header)));
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    }
  });

  it('with the same idea and no key start one research: 202 once, 409 for the others [R034 R269]', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const user = await app.user();
      const idea = newIdea();
      const answers = await Promise.all([1, 2, 3].map(() => user.call('POST', '/research', { idea })));
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    }
  });
});

describe('a key whose research failed', () => {
  it('may be used to try again', async () => {
    const user = await app.user();
    const header = { 'idempotency-key': randomUUID() };
    const first = await user.call('POST', '/research', { idea: '   ' }, header);
    const jobId = String(first.body['job_id']);
    await expect.poll(async () => (await user.call('GET', `/research/${jobId}/status`)).body['status'], { timeout: 10_000 }).toBe('failed');
    const again = await user.call('POST', '/research', { idea: '   ' }, header);
    expect(again.status).toBe(202);
    expect(again.body['job_id']).not.toBe(jobId);
  });
});
