/** Stages of the stream, in order; `pipeline_stage` shows the one that is worked. */
export const STAGES = ['interpret', 'search', 'judge', 'analyze', 'synthesize', 'persist'] as const;
export type StageName = (typeof STAGES)[number];

/** Where `pipeline_stage` ends, in the transaction that sets `completed`. */
export const TERMINAL_STAGE = 'priorities_picked';

export type ResearchStatusValue = 'queued' | 'running' | 'completed' | 'failed';
