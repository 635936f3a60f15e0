/** Stages of the stream, in order; `pipeline_stage` shows the one that is worked. */
export const STAGES = ['scope', 'gather', 'analyze', 'synthesize'] as const;

/** Where `pipeline_stage` ends, in the statement that sets `completed`. */
export const TERMINAL_STAGE = 'completed';

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
