import type { LanguageModelMiddleware } from 'ai';
import { askPatiently, countOutcome, countTokens, outcomeOf, type Asking, type Outcome } from './ask-patiently.ts';
import { isBroken } from './tool-loop.ts';

/** Counts each request of a stream once: tokens and outcome when it finished, else by what ended it. */
export type CountedRequests = {
  middleware: LanguageModelMiddleware;
  /** The request that is under way failed. */
  fail(error: unknown): void;
  /** Nobody reads on. */
  leave(): void;
};

export function countRequests(asking: Asking): CountedRequests {
  let isUnderWay = false;
  const end = (outcome: Outcome): void => {
    if (isUnderWay) countOutcome(asking, outcome);
    isUnderWay = false;
  };
  const middleware: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    wrapStream: async ({ doStream, params }) => {
      const opened = await askPatiently({ ...asking, signal: params.abortSignal ?? asking.signal }, doStream);
      isUnderWay = true;
      const counting = new TransformStream<ModelChunk, ModelChunk>({
        transform: (part, controller) => {
          if (part.type === 'finish') {
            countTokens(asking, { input: part.usage.inputTokens.total ?? 0, output: part.usage.outputTokens.total ?? 0 });
            const { unified: finishReason, raw: rawFinishReason } = part.finishReason;
            end(isBroken({ finishReason, rawFinishReason }) ? 'failed' : 'ok');
          }
          if (part.type === 'error') end(outcomeOf(asking, part.error));
          controller.enqueue(part);
        },
      });
      return { ...opened, stream: opened.stream.pipeThrough(counting) };
    },
  };
  return { middleware, fail: (error) => end(outcomeOf(asking, error)), leave: () => end('cancelled') };
}

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type ModelChunk = Awaited<ReturnType<WrapStream>>['stream'] extends ReadableStream<infer Part> ? Part : never;
