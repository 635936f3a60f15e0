import { z } from 'zod';
import { loadConfig } from '#platform/config/config.ts';
import type { Env } from '#platform/config/env.ts';
import { Refusal } from './client-errors.ts';
import { openClient, type OperatorClient } from './client.ts';
import { CommandError } from './command.ts';
import { findService } from './connect.ts';

/** What the service tells of reactions that gave up. */
export const GivenUp = z.object({
  total: z.int(),
  items: z.array(z.object({ event_id: z.string(), event: z.string(), reaction: z.string(), gave_up_at: z.string(), error: z.string().nullable() })),
});

/**
 * A client for what only the operator of a service may do.
 * @throws CommandError when no service runs or ADMIN_SECRET is not set
 */
export function operatorOf(given: string | undefined, env: Env): OperatorClient {
  const { adminSecret, dataDir } = loadConfig(env);
  if (adminSecret === undefined) throw new CommandError('This needs ADMIN_SECRET, set to the same as for the service.');
  const url = findService(given, env);
  if (!url) throw new CommandError(`No service runs on ${dataDir}: "groundwork serve" starts one.`);
  const { read, create } = openClient(url, '').asOperator(adminSecret);
  return {
    read: (...asked) => read(...asked).catch(explain),
    create: (...asked) => create(...asked).catch(explain),
  };
}

function explain(error: unknown): never {
  const cause = { cause: error };
  if (error instanceof Refusal && error.status === 403) throw new CommandError('The service has another ADMIN_SECRET.', cause);
  if (error instanceof Refusal && error.status === 503 && error.message.includes('admin_unconfigured')) {
    throw new CommandError('The service runs without ADMIN_SECRET: set it and start the service again.', cause);
  }
  throw error;
}
