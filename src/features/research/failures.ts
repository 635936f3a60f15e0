import { RunFailure } from '#lib/run-failure.ts';

export const emptyInput = () =>
  new RunFailure({
    code: 'EMPTY_INPUT',
    message: 'The text does not describe a product idea: it names nothing that could be built or offered. Say what it should do, and for whom.',
    retryable: false,
  });

export const emptyOutput = (why: string) =>
  new RunFailure({ code: 'EMPTY_OUTPUT', message: `No evidence was found for this idea. ${why}`.trim(), retryable: false, evidence_count: 0 });

export const modelEmpty = (evidenceCount: number) =>
  new RunFailure({
    code: 'MODEL_EMPTY_DESPITE_EVIDENCE',
    message: 'Evidence was found, but nothing in it could be recognised as a product of this market.',
    retryable: false,
    evidence_count: evidenceCount,
  });
