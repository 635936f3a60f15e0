import type { Env } from './env.ts';
import { listed } from './read-values.ts';

/** Hosts, `*.suffixes`, addresses or CIDRs that are fetched although they are not public, or never. */
export type FetchConfig = { allow: readonly string[]; deny: readonly string[] };

export const readFetch = (env: Env): FetchConfig => ({ allow: listed(env, 'FETCH_ALLOW'), deny: listed(env, 'FETCH_DENY') });
