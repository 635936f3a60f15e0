import type { FinishReason, TextStreamPart, ToolSet } from 'ai';
import { messageOf } from '#lib/errors.ts';
import { failureOf } from './model-failures.ts';
import { ModelError } from './models.ts';
import type { Decision, LoopEnd, ToolsCall, ToolsPart, Verdict } from './model-streams.ts';

type SdkPart = TextStreamPart<ToolSet>;

/** What a part of the library's stream means to whoever reads ours; null where it means nothing. */
export function partOf(part: SdkPart): ToolsPart | null {
  switch (part.type) {
    case 'text-delta':
      return part.text ? { kind: 'text', text: part.text } : null;
    case 'tool-call':
      return { kind: 'call', ...proposed(part) };
    case 'tool-approval-request':
      return part.isAutomatic ? null : { kind: 'question', questionId: part.approvalId, ...proposed(part.toolCall) };
    case 'tool-result':
      return { kind: 'result', callId: part.toolCallId, tool: part.toolName, output: part.output as unknown };
    case 'tool-error':
      return { kind: 'failed', callId: part.toolCallId, tool: part.toolName, problem: messageOf(part.error) };
    case 'tool-output-denied':
      return { kind: 'refused', callId: part.toolCallId, tool: part.toolName };
    case 'finish-step':
      return { kind: 'step' };
    default:
      return null;
  }
}

const proposed = (call: { toolCallId: string; toolName: string; input: unknown }) => ({
  callId: call.toolCallId,
  tool: call.toolName,
  input: call.input,
});

/** Whether an answer stopped without the provider having said why. */
export const isBroken = ({ finishReason, rawFinishReason }: { finishReason: FinishReason; rawFinishReason: string | undefined }): boolean =>
  finishReason === 'error' || finishReason === 'interrupted' || (finishReason === 'other' && rawFinishReason === undefined);

/** Why a loop ended, from the last step's reason. */
export function endOf(reason: FinishReason, about: { questions: number; outOfTokens: boolean }): LoopEnd {
  if (about.questions > 0) return 'asked';
  if (reason === 'tool-calls') return about.outOfTokens ? 'tokens' : 'steps';
  if (reason === 'length') return about.outOfTokens ? 'tokens' : 'cut';
  return reason === 'content-filter' ? 'filtered' : 'finished';
}

/** Decisions as the library reads them, behind the transcript that asked. */
export const decisionTurns = (decisions: readonly Decision[]): object[] =>
  decisions.length === 0
    ? []
    : [{ role: 'tool', content: decisions.map(({ questionId, ...rest }) => ({ type: 'tool-approval-response', approvalId: questionId, ...rest })) }];

type SdkVerdict = 'not-applicable' | 'user-approval' | { type: 'denied'; reason: string };

/** The caller's verdict in the library's words; what the caller throws is kept, since the library would take it for the model's fault. */
export function approvalBy(approve: ToolsCall['approve']) {
  let thrown: { error: unknown } | undefined;
  return {
    judge: async ({ toolCall }: { toolCall: { toolCallId: string; toolName: string; input: unknown } }): Promise<SdkVerdict> => {
      if (!approve) return 'not-applicable';
      try {
        return sdkVerdict(await approve(proposed(toolCall)));
      } catch (error) {
        thrown = { error };
        throw error;
      }
    },
    rethrow: (): void => {
      if (thrown) throw thrown.error;
    },
  };
}

function sdkVerdict(verdict: Verdict): SdkVerdict {
  if (verdict === 'run') return 'not-applicable';
  return verdict === 'ask' ? 'user-approval' : { type: 'denied', reason: verdict.refused };
}

/** The error of an answer that did not come to its end: a failed request as it is, anything else as a provider that is not to be had. */
export function brokenOff(error: unknown): unknown {
  if (error instanceof ModelError || failureOf(error).error !== error) return error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'AI_InvalidPromptError') return error;
  return new ModelError('unavailable', 'the answer broke off', name ? { cause: new Error(name) } : {});
}
