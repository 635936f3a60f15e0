import type { z } from 'zod';

/** One kind of background job. The payload is checked when it is taken up, so a deploy may change its shape. */
export type Job<P = unknown> = {
  name: string;
  payload: z.ZodType<P>;
  /** How often a job that threw is tried again, with growing pauses. */
  retries: number;
  /** Seconds after which a job counts as hung. */
  timeoutSeconds: number;
  /** How many of them one process works at once; as many as it works jobs at all without it. */
  concurrency?: number;
};

export const defineJob = <P>(job: { name: string; payload: z.ZodType<P> } & Partial<Omit<Job<P>, 'name' | 'payload'>>): Job<P> => ({
  retries: 5,
  timeoutSeconds: 900,
  ...job,
});

export type JobRun = {
  signal: AbortSignal;
  /** How many times this job was taken up, from 1. */
  attempt: number;
};

/** A job together with what it does; `app/jobs.ts` lists them. */
export type WorkedJob = {
  job: Job;
  /** @throws RetryLater when it can go on at a later moment, which is no failed try */
  run(payload: unknown, run: JobRun): Promise<void>;
  /** What becomes of a job that failed for the last time; it is not tried again. */
  exhausted(payload: unknown, error: unknown): Promise<void>;
};

export const worked = <P>(
  job: Job<P>,
  run: (payload: P, run: JobRun) => Promise<void>,
  exhausted: (payload: P, error: unknown) => Promise<void> = async () => {},
): WorkedJob => ({
  job: job as Job,
  run: async (payload, details) => run(job.payload.parse(payload), details),
  exhausted: async (payload, error) => exhausted(job.payload.parse(payload), error),
});
