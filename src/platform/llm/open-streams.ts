import type { ModelMessage } from 'ai';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { openSpan } from '../observability/tracing.ts';
import type { Asking } from './ask-patiently.ts';
import { countRequests, type CountedRequests } from './count-requests.ts';
import { outputLimit, type Endpoint, type Sdk } from './language-models.ts';
import { failureOf } from './model-failures.ts';
import { ModelError, type Model, type ModelStream, type Usage } from './models.ts';
import type { TextPart, ToolsCall, ToolsPart } from './model-streams.ts';
import type { Pause } from './retry.ts';
import { sdkTools } from './sdk-tools.ts';
import { approvalBy, brokenOff, decisionTurns, endOf, isBroken, partOf } from './tool-loop.ts';
import { storedTranscript } from './stored-transcript.ts';

export type StreamNeeds = {
  endpoint: Pick<Endpoint, 'provider' | 'model'>;
  sdk: () => Promise<Sdk>;
  /** For one request, for each pause in an answer, and for one run of a tool. */
  timeoutSeconds: number;
  metrics: Metrics;
  log: Logger;
  /** Stands in for the waiting between tries, in tests. */
  pause?: Pause;
};

/** What a model says while it says it: the answer to one question, or a loop with tools. */
export const openStreams = (needs: StreamNeeds): Pick<Model, 'text' | 'tools'> => ({
  text: (call) => {
    const loop = streamOf({ ...call, tools: {}, budget: { steps: 1, tokens: Infinity } }, needs);
    return { usage: loop.usage, [Symbol.asyncIterator]: () => textsOf(loop) };
  },
  tools: (call) => streamOf({ ...call, seconds: call.seconds ?? needs.timeoutSeconds * call.budget.steps }, needs),
});

async function* textsOf(loop: AsyncIterable<ToolsPart>): AsyncGenerator<TextPart> {
  for await (const part of loop) {
    if (part.kind === 'text') yield part;
    if (part.kind === 'end') yield { kind: 'end', reason: part.reason === 'cut' || part.reason === 'filtered' ? part.reason : 'finished' };
  }
}

function streamOf(call: ToolsCall, needs: StreamNeeds): ModelStream<ToolsPart> {
  const usage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
  return { usage, [Symbol.asyncIterator]: () => spanned(call, needs, usage) };
}

async function* spanned(call: ToolsCall, needs: StreamNeeds, usage: Usage): AsyncGenerator<ToolsPart> {
  const { provider, model } = needs.endpoint;
  const span = openSpan(`model ${call.name}`, { provider, model });
  let failure: unknown;
  try {
    yield* partsOf(call, needs, usage);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    span.end(failure);
  }
}

async function* partsOf(call: ToolsCall, needs: StreamNeeds, usage: Usage): AsyncGenerator<ToolsPart> {
  const seconds = call.seconds ?? needs.timeoutSeconds;
  const limit = AbortSignal.timeout(Math.ceil(seconds * 1000));
  const left = new AbortController();
  const signal = AbortSignal.any([call.signal, limit, left.signal]);
  const { provider } = needs.endpoint;
  const { metrics, log, pause } = needs;
  const asking: Asking = { provider, call, signal, deadline: Date.now() + seconds * 1000, usage, metrics, log, pause };
  const requests = countRequests(asking);
  try {
    signal.throwIfAborted();
    yield* loopOf(call, needs, asking, requests);
  } catch (error) {
    requests.fail(error);
    if (call.signal.aborted) throw call.signal.reason;
    const failure = limit.aborted ? new ModelError('timeout', `no answer within ${seconds} s`) : failureOf(error).error;
    if (failure instanceof ModelError) failure.usage = usage;
    throw failure;
  } finally {
    // Also when nobody reads on: the connection to the provider is closed.
    left.abort();
    requests.leave();
  }
}

async function* loopOf(call: ToolsCall, needs: StreamNeeds, asking: Asking, requests: CountedRequests): AsyncGenerator<ToolsPart> {
  const messages = [
    ...(call.transcript === undefined ? [] : (storedTranscript.read(call.transcript) as never[])),
    ...decisionTurns(call.decisions ?? []),
    ...call.turns,
  ];
  const approval = approvalBy(call.approve);
  const result = ask(await needs.sdk(), { call, needs, asking, requests, messages, judge: approval.judge });
  const progress = { steps: 0, questions: 0 };
  const isOutOfTokens = () => tokensOf(asking) >= call.budget.tokens;
  try {
    for await (const part of result.stream) {
      if (part.type === 'abort') throw new ModelError('timeout', `the model was silent for ${needs.timeoutSeconds} s`);
      if (part.type === 'error') throw part.error;
      if (part.type === 'finish-step') progress.steps += 1;
      const told = partOf(part);
      if (told?.kind === 'question') progress.questions += 1;
      if (told) yield told;
      if (part.type !== 'finish') continue;
      if (isBroken(part)) throw new ModelError('unavailable', 'the answer broke off');
      const reason = endOf(part.finishReason, { questions: progress.questions, outOfTokens: isOutOfTokens() });
      yield {
        kind: 'end',
        reason,
        steps: progress.steps,
        transcript: storedTranscript.write([...messages, ...(await result.responseMessages)] as never[]),
      };
    }
  } catch (error) {
    approval.rethrow();
    throw brokenOff(error);
  }
}

const tokensOf = ({ usage }: Asking): number => usage.inputTokens + usage.outputTokens;

type Asked = {
  call: ToolsCall;
  needs: StreamNeeds;
  asking: Asking;
  requests: CountedRequests;
  messages: object[];
  judge: ReturnType<typeof approvalBy>['judge'];
};

function ask({ ai, model }: Sdk, { call, needs, asking, requests, messages, judge }: Asked) {
  const { steps: mostSteps, tokens } = call.budget;
  const { maxOutputTokens = outputLimit(asking.provider) ?? Infinity } = call;
  const silence = Math.ceil(needs.timeoutSeconds * 1000);
  return ai.streamText({
    model: ai.wrapLanguageModel({ model, middleware: [ai.extractReasoningMiddleware({ tagName: 'think' }), requests.middleware] }),
    instructions: call.system,
    messages: messages as ModelMessage[],
    maxRetries: 0,
    abortSignal: asking.signal,
    timeout: { firstChunkMs: silence, chunkMs: silence },
    tools: sdkTools(call.tools, { ai, log: needs.log, seconds: needs.timeoutSeconds }),
    toolApproval: judge,
    // After a broken answer the library would ask again until the steps are used up.
    stopWhen: [ai.stepCountIs(mostSteps), () => tokensOf(asking) >= tokens, ({ steps }) => steps.some(isBroken)],
    prepareStep: () => {
      const most = Math.min(maxOutputTokens, Math.max(1, tokens - tokensOf(asking)));
      return Number.isFinite(most) ? { maxOutputTokens: most } : undefined;
    },
    // The library would print errors, which hold the whole request.
    onError: () => {},
  });
}
