import { sql } from 'kysely';
import { inBatches } from '#lib/in-batches.ts';
import type { Db, Tx } from '../db/database.ts';
import type { Provider } from './models.ts';

/** One question to a model with all its tries. */
export type ModelCallRecord = {
  userId: string | null;
  /** The feature that asked, and the run for which. */
  feature: string;
  runKey: string | null;
  /** What was asked: the name of the call. */
  call: string;
  provider: Provider;
  model: string;
  /** Whether the user's own key paid. */
  ownKey: boolean;
  /** Requests that it took, repeated ones included. */
  requests: number;
  inputTokens: number;
  outputTokens: number;
  milliseconds: number;
  outcome: 'ok' | 'timeout' | 'unavailable' | 'malformed' | 'refused' | 'cancelled';
};

/** The ledger of model calls: budgets, usage and the operator's status read from it. */
export type ModelCalls = {
  record(call: ModelCallRecord): Promise<void>;
  /** Whether a run has had an answer that cost anything. */
  paidFor(db: Db | Tx, runKey: string): Promise<boolean>;
};

export function modelCalls(db: Db): ModelCalls {
  return {
    // Runs ask for several things side by side, and what they were answered with is written at once.
    record: inBatches(async (made) => {
      const rows = made.map(
        (call) => sql`(${call.userId}, ${call.feature}, ${call.runKey}, ${call.call}, ${call.provider}, ${call.model}, ${call.ownKey}::boolean,
          ${call.requests}::int, ${call.inputTokens}::int, ${call.outputTokens}::int, ${call.milliseconds}::int, ${call.outcome})`,
      );
      await sql`
        insert into model_calls (owner_id, feature, run_key, call, provider, model, own_key, requests, input_tokens, output_tokens, milliseconds, outcome)
        values ${sql.join(rows)}`.execute(db);
    }),
    paidFor: async (on, runKey) => {
      const { rows } = await sql<{ paid: boolean }>`
        select exists (select from model_calls where run_key = ${runKey} and input_tokens + output_tokens > 0) as paid`.execute(on);
      return rows[0]?.paid ?? false;
    },
  };
}

/** Removes what is older than so many days; gives how much it was. */
export async function deleteOldModelCalls(db: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from model_calls where at < now() - make_interval(days => ${days})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export async function transferModelCalls(tx: Tx, from: string, to: string): Promise<void> {
  await sql`update model_calls set owner_id = ${to} where owner_id = ${from}`.execute(tx);
}
