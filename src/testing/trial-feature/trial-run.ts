import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';
import { definePipeline } from '#platform/runs/define-pipeline.ts';
import { defineRun } from '#platform/runs/define-run.ts';

type Row = { id: string; owner_id: string };
const pipeline = definePipeline<Row>('trial')
  .stage({ name: 'choose', run: (_row, _before, stage) => stage.ask<string>('colour', { of: ['red', 'blue'] }, async () => []) })
  .stage({ name: 'paint', run: async (_row, { choose }) => `painted ${choose}` })
  .build();

/** Asks which colour, waits for the decision without a worker, and goes on with it. */
export const painting = defineRun({
  name: 'trial-painting',
  noun: 'painting',
  job: defineJob({ name: 'trial-painting.run', payload: z.object({ id: z.uuid() }) }),
  streamOf: ({ id }) => `trial:${id}`,
  find: async (db, { id }) => (await sql<Row>`select * from trial_paintings where id = ${id} and result is null`.execute(db)).rows[0] ?? null,
  userOf: (row) => row.owner_id,
  pipeline,
  open: async (_ctx, row) => row,
  complete: async (_ctx, tx, { id }, { outputs }) => {
    await sql`update trial_paintings set result = ${outputs.paint} where id = ${id}`.execute(tx);
    return [{ event: 'result', data: outputs.paint }];
  },
  fail: async (_ctx, tx, { id }, { code }) => void (await sql`update trial_paintings set result = ${code} where id = ${id}`.execute(tx)),
});
