import { slugify, truncate } from '#lib/text.ts';
import { DEFAULT_MODELS, type ModelConfig } from '../config/models.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { traced } from '../observability/tracing.ts';
import { askPatiently, countOutcome, countTokens, type Asking } from './ask-patiently.ts';
import { languageModel, openSdk, type Ask, type Endpoint, type Reply } from './language-models.ts';
import { failureOf } from './model-failures.ts';
import type { Turn } from './model-streams.ts';
import { ModelError, type Model, type ModelAnswer, type ModelCall, type ModelDirectory, type Provider, type Usage } from './models.ts';
import { jsonSchemaOf, readAnswer, type Read } from './read-answer.ts';
import { openStreams } from './open-streams.ts';
import type { Pause } from './retry.ts';

type Options = {
  timeoutSeconds: number;
  metrics: Metrics;
  log: Logger;
  /** Stands in for the waiting between tries, in tests. */
  pause?: Pause;
};

const STANDARD: Record<Provider, { baseUrl: string; model: string }> = {
  llm_a: { baseUrl: 'https://api.anthropic.com/v1', model: DEFAULT_MODELS.llm_a },
  llm_b: { baseUrl: 'https://api.openai.com/v1', model: DEFAULT_MODELS.llm_b },
};

const ANSWER_SHOWN = 24_000;

/** The configured models; nothing is loaded or connected before the first call. */
export function openModels(configs: readonly ModelConfig[], options: Options): ModelDirectory {
  const withoutSchemas = new Set<string>();
  const open = (endpoint: Endpoint): Model => openModel(endpoint, withoutSchemas, options);
  const [first] = configs.toSorted((left, right) => left.name.localeCompare(right.name));
  return {
    configured: first && open(endpointOf(first.name, first.apiKey, first)),
    withKey: (provider, apiKey) =>
      open(
        endpointOf(
          provider,
          apiKey,
          configs.find((config) => config.name === provider),
        ),
      ),
  };
}

function endpointOf(provider: Provider, apiKey: string | undefined, config: ModelConfig | undefined): Endpoint {
  const baseUrl = withVersion(config?.baseUrl ?? STANDARD[provider].baseUrl);
  return { provider, apiKey, baseUrl, model: config?.model ?? STANDARD[provider].model };
}

/** Both protocols live under a path such as `/v1`; a bare host is taken to mean that. */
function withVersion(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.pathname === '/') url.pathname = '/v1';
  return url.href.replace(/\/+$/, '');
}

function openModel(endpoint: Endpoint, withoutSchemas: Set<string>, options: Options): Model {
  const { provider, model } = endpoint;
  const sdk = openSdk(endpoint);
  const ask = languageModel(endpoint, sdk, withoutSchemas);
  return {
    provider,
    model,
    object: (call) => traced(`model ${call.name}`, { provider, model }, () => answerTo(call, { endpoint, ask, options })),
    ...openStreams({ endpoint, sdk, ...options }),
  };
}

type Line = { endpoint: Endpoint; ask: Ask; options: Options };

async function answerTo<T>(call: ModelCall<T>, line: Line): Promise<ModelAnswer<T>> {
  const { timeoutSeconds, metrics, log, pause } = line.options;
  const milliseconds = Math.ceil(timeoutSeconds * 1000);
  const limit = AbortSignal.timeout(milliseconds);
  const usage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const signal = AbortSignal.any([call.signal, limit]);
  const asking: Asking = { provider: line.endpoint.provider, call, signal, deadline: Date.now() + milliseconds, usage, metrics, log, pause };
  try {
    return { object: await askAndRepair(call, line.ask, asking), usage };
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    const failure = limit.aborted ? new ModelError('timeout', `no answer within ${timeoutSeconds} s`) : failureOf(error).error;
    if (failure instanceof ModelError) failure.usage = usage;
    throw failure;
  }
}

async function askAndRepair<T>(call: ModelCall<T>, ask: Ask, asking: Asking): Promise<T> {
  const { provider, log } = asking;
  const turns: Turn[] = [{ role: 'user', content: call.prompt }];
  const read = (reply: Reply): Read<T> => {
    const answer = readAnswer(reply.text, call.schema);
    countOutcome(asking, answer.ok ? 'ok' : 'malformed');
    return answer;
  };
  const first = await replyTo(call, turns, ask, asking);
  const answer = read(first);
  if (answer.ok) return answer.object;
  log.warn({ provider, call: call.name }, 'a model answered in the wrong shape and is asked once more');
  const problem = first.cut ? `it was cut off at the length limit, be briefer; ${answer.problem}` : answer.problem;
  turns.push(
    { role: 'assistant', content: truncate(first.text.trim(), ANSWER_SHOWN) || '(empty)' },
    { role: 'user', content: repairRequest(problem) },
  );
  const second = read(await replyTo(call, turns, ask, asking));
  if (second.ok) return second.object;
  log.debug({ provider, call: call.name, problem: second.problem }, 'a repaired answer was in the wrong shape again');
  throw new ModelError('malformed', 'the answer was not in the asked shape, not even after one repair');
}

const repairRequest = (problem: string): string =>
  `That answer could not be used: ${problem}\n\nSend the whole answer again, corrected: one JSON object in the asked shape, with nothing before or after it.`;

async function replyTo<T>(call: ModelCall<T>, turns: Turn[], ask: Ask, asking: Asking): Promise<Reply> {
  const { system, schema, maxOutputTokens } = call;
  const question = { name: slugify(call.name), system, turns, schema: jsonSchemaOf(schema), maxOutputTokens, signal: asking.signal };
  const reply = await askPatiently(asking, () => ask(question));
  countTokens(asking, { input: reply.inputTokens, output: reply.outputTokens });
  return reply;
}
