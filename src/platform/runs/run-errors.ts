import { RunFailure, type RunError } from '../../lib/run-failure.ts';
import { ModelError } from '../llm/models.ts';

/** The model that a run began with is not there any more, and part of the work was paid for. */
export const modelGone = (noun: string, model: string): RunFailure =>
  new RunFailure({
    code: 'LLM_FAILED',
    message: `The ${noun} began with the model ${model}, which is no longer configured.`,
    retryable: true,
  });

/** Said in the result of a run that was to be worked by a model and was worked by the rules. */
export const standInWarning = (model: string): string => `The model ${model} is no longer configured; the rules did this instead.`;

/**
 * What anything that was thrown is called on a stream, whatever ran.
 * @param noun what failed, such as `research`; @param during the stage or part, where it is known
 */
export function runErrorOf(thrown: unknown, noun: string, during?: string): RunError {
  if (thrown instanceof RunFailure) return thrown.error;
  const where = during ? ` during ${during}` : '';
  if (thrown instanceof ModelError) {
    const code = thrown.reason === 'timeout' ? 'LLM_TIMEOUT' : 'LLM_FAILED';
    return { code, message: `The ${noun} failed${where}: the language model failed, ${thrown.message}.`, retryable: thrown.reason !== 'refused' };
  }
  return { code: 'PIPELINE_ERROR', message: `The ${noun} failed${where}.`, retryable: true };
}
