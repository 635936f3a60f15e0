import { slugify } from '#lib/text.ts';
import { DEFAULT_MODELS, type ModelConfig } from '../config/config.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { traced } from '../observability/tracing.ts';
import type { Usage } from '../pipelines/define-pipeline.ts';
import { languageModel, type Ask, type Endpoint, type Reply, type Turn } from './language-models.ts';
import { failureOf } from './model-failures.ts';
import { ModelError, type Model, type ModelAnswer, type ModelCall, type Models, type Provider } from './models.ts';
import { jsonSchemaOf, readAnswer, type Read } from './read-answer.ts';
import { withRetries, type Pause } from './retry.ts';

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
export function openModels(configs: readonly ModelConfig[], options: Options): Models {
  const withoutSchemas = new Set<string>();
  const open = (endpoint: Endpoint): Model => openModel(endpoint, languageModel(endpoint, withoutSchemas), options);
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

function openModel(endpoint: Endpoint, ask: Ask, options: Options): Model {
  const { provider, model } = endpoint;
  return {
    provider,
    model,
    object: (call) => traced(`model ${call.name}`, { provider, model }, () => answerTo(call, { endpoint, ask, options })),
  };
}

type Line = { endpoint: Endpoint; ask: Ask; options: Options };

/** What all requests of one call share. */
type Within = { signal: AbortSignal; deadline: number; usage: Usage };

async function answerTo<T>(call: ModelCall<T>, line: Line): Promise<ModelAnswer<T>> {
  const milliseconds = Math.ceil(line.options.timeoutSeconds * 1000);
  const limit = AbortSignal.timeout(milliseconds);
  const usage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const within = { signal: AbortSignal.any([call.signal, limit]), deadline: Date.now() + milliseconds, usage };
  try {
    return { object: await askAndRepair(call, line, within), usage };
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    if (limit.aborted) throw new ModelError('timeout', `no answer within ${line.options.timeoutSeconds} s`);
    throw failureOf(error).error;
  }
}

async function askAndRepair<T>(call: ModelCall<T>, line: Line, within: Within): Promise<T> {
  const { provider } = line.endpoint;
  const { log, metrics } = line.options;
  const turns: Turn[] = [{ role: 'user', content: call.prompt }];
  const read = (reply: Reply): Read<T> => {
    const answer = readAnswer(reply.text, call.schema);
    metrics.modelCalls.inc({ provider, outcome: answer.ok ? 'ok' : 'malformed' });
    return answer;
  };
  const first = await patiently(call, turns, line, within);
  const answer = read(first);
  if (answer.ok) return answer.object;
  log.warn({ provider, call: call.name }, 'a model answered in the wrong shape and is asked once more');
  const problem = first.cut ? `it was cut off at the length limit, be briefer; ${answer.problem}` : answer.problem;
  turns.push(
    { role: 'assistant', content: first.text.trim().slice(0, ANSWER_SHOWN) || '(empty)' },
    { role: 'user', content: repairRequest(problem) },
  );
  const second = read(await patiently(call, turns, line, within));
  if (second.ok) return second.object;
  log.debug({ provider, call: call.name, problem: second.problem }, 'a repaired answer was in the wrong shape again');
  throw new ModelError('malformed', 'the answer was not in the asked shape, not even after one repair');
}

const repairRequest = (problem: string): string =>
  `That answer could not be used: ${problem}\n\nSend the whole answer again, corrected: one JSON object in the asked shape, with nothing before or after it.`;

/** One question, asked again while the failure may pass; what it cost is added to the usage either way. */
function patiently<T>(call: ModelCall<T>, turns: Turn[], { endpoint, ask, options }: Line, { usage, signal, deadline }: Within): Promise<Reply> {
  const { provider } = endpoint;
  const { metrics, log, pause } = options;
  const question = {
    name: slugify(call.name),
    system: call.system,
    turns,
    schema: jsonSchemaOf(call.schema),
    maxOutputTokens: call.maxOutputTokens,
    signal,
  };
  const once = async (): Promise<Reply> => {
    usage.calls += 1;
    try {
      const reply = await ask(question);
      usage.inputTokens += reply.inputTokens;
      usage.outputTokens += reply.outputTokens;
      metrics.modelTokens.inc({ provider, direction: 'input' }, reply.inputTokens);
      metrics.modelTokens.inc({ provider, direction: 'output' }, reply.outputTokens);
      return reply;
    } catch (error) {
      const outcome = call.signal.aborted ? 'cancelled' : signal.aborted ? 'timeout' : failureOf(error).outcome;
      metrics.modelCalls.inc({ provider, outcome });
      throw error;
    }
  };
  const onRetry = (error: unknown, attempt: number, milliseconds: number) =>
    log.warn({ provider, call: call.name, attempt, milliseconds: Math.round(milliseconds), why: failureOf(error).outcome }, 'a model is asked again');
  return withRetries(once, { signal, deadline, judge: failureOf, onRetry, pause });
}
