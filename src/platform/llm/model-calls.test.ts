import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { deleteOldModelCalls, type ModelCallRecord } from './model-calls.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => app.dispose());
const { db, modelCalls } = app.ctx;

const callOf = (more: Partial<ModelCallRecord>): ModelCallRecord => ({
  userId: randomUUID(),
  feature: 'research',
  runKey: null,
  call: 'interpret',
  provider: 'llm_a',
  model: 'scripted',
  ownKey: false,
  requests: 1,
  inputTokens: 0,
  outputTokens: 0,
  milliseconds: 5,
  outcome: 'ok',
  ...more,
});

it('keeps every call that ends side by side with others', async () => {
  const runKey = `run-${randomUUID()}`;
  const costs = [0, 3, 5, 7];
  await Promise.all(costs.map((inputTokens, at) => modelCalls.record(callOf({ runKey, inputTokens, ownKey: at > 1, call: `call ${at}` }))));
  const { rows } = await sql<Record<string, unknown>>`
    select call, input_tokens, own_key, outcome from model_calls where run_key = ${runKey} order by call`.execute(db);
  expect(rows).toEqual(costs.map((cost, at) => ({ call: `call ${at}`, input_tokens: cost, own_key: at > 1, outcome: 'ok' })));
});

it('knows whether a run was paid for', async () => {
  const [free, paid] = [`run-${randomUUID()}`, `run-${randomUUID()}`];
  await modelCalls.record(callOf({ runKey: free, outcome: 'timeout' }));
  await modelCalls.record(callOf({ runKey: paid, outputTokens: 1 }));
  expect([await modelCalls.paidFor(db, free), await modelCalls.paidFor(db, paid), await modelCalls.paidFor(db, 'run-nobody')]).toEqual([
    false,
    true,
    false,
  ]);
});

it('removes what is old and nothing else', async () => {
  const runKey = `run-${randomUUID()}`;
  await modelCalls.record(callOf({ runKey, call: 'old' }));
  await modelCalls.record(callOf({ runKey, call: 'new' }));
  await sql`update model_calls set at = now() - interval '91 days' where run_key = ${runKey} and call = 'old'`.execute(db);
  await deleteOldModelCalls(db, 90);
  const { rows } = await sql<{ call: string }>`select call from model_calls where run_key = ${runKey}`.execute(db);
  expect(rows).toEqual([{ call: 'new' }]);
});
