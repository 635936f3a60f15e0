import type { Env } from './env.ts';
import { whole, yesNo } from './read-values.ts';

export type LimitsConfig = {
  workerConcurrency: number;
  /** Whether `POST /projects/research` shares the limit of `POST /research`; the interface states none for it. */
  limitProjectResearch: boolean;
  /** Sign-ins without an account that one address may begin in a minute. */
  anonymousPerMinute: number;
};

export const readLimits = (env: Env): LimitsConfig => ({
  workerConcurrency: whole(env, 'WORKER_CONCURRENCY', 128, 1, 1000),
  limitProjectResearch: yesNo(env, 'LIMIT_PROJECT_RESEARCH', false),
  anonymousPerMinute: whole(env, 'ANONYMOUS_PER_MINUTE', 30, 1, 1_000_000),
});
