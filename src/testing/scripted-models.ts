import { openLog } from '#platform/observability/log.ts';
import { openMetrics } from '#platform/observability/metrics.ts';
import type { Sdk } from '#platform/llm/language-models.ts';
import type { Model, ModelDirectory } from '#platform/llm/models.ts';
import { openStreams } from '#platform/llm/open-streams.ts';

/**
 * What a model answers, by the name of the call and its prompt; what it throws is the model's failure. Streams answer with
 * a text, or with `{ text, calls }` to have tools run; their prompt is the last thing they were told.
 */
export type ModelScript = (name: string, prompt: string) => unknown;

type ScriptedTurn = { text?: string; calls?: { tool: string; input: unknown }[] };

/** Models within the process that answer as a test says. While there is no script, none is configured. */
export class ScriptedModels implements ModelDirectory {
  script: ModelScript | undefined;
  /** Names of the calls, in their order. */
  readonly calls: string[] = [];
  readonly #metrics = openMetrics();
  readonly #model: Model = {
    provider: 'llm_a',
    model: 'scripted',
    object: async ({ name, prompt, schema }) => {
      this.calls.push(name);
      return { object: schema.parse(await this.script?.(name, prompt)), usage: { calls: 1, inputTokens: 1, outputTokens: 1 } };
    },
    text: (call) => this.#streams(call.name).text(call),
    tools: (call) => this.#streams(call.name).tools(call),
  };

  get configured(): Model | undefined {
    return this.script && this.#model;
  }

  withKey(): Model {
    return this.#model;
  }

  #streams(name: string): Pick<Model, 'text' | 'tools'> {
    const answer = async (prompt: string): Promise<ScriptedTurn> => {
      this.calls.push(name);
      const said = await this.script?.(name, prompt);
      return typeof said === 'string' ? { text: said } : ((said ?? {}) as ScriptedTurn);
    };
    return openStreams({
      endpoint: { provider: 'llm_a', model: 'scripted' },
      sdk: async () => ({ ai: await import('ai'), model: modelOf(answer) }),
      timeoutSeconds: 20,
      metrics: this.#metrics,
      log: openLog('silent'),
    });
  }
}

type SdkModel = Sdk['model'];
type Chunk = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

let callsMade = 0;

function modelOf(answer: (prompt: string) => Promise<ScriptedTurn>): SdkModel {
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async () => Promise.reject(new Error('a scripted model streams')),
    doStream: async ({ prompt }) => ({ stream: ReadableStream.from(chunksOf(await answer(lastOf(prompt)))) }),
  };
}

function lastOf(prompt: Parameters<SdkModel['doStream']>[0]['prompt']): string {
  const last = prompt.at(-1)?.content ?? '';
  if (typeof last === 'string') return last;
  return last.map((part) => (part.type === 'text' ? part.text : part.type === 'tool-result' ? JSON.stringify(part.output) : '')).join('');
}

function chunksOf({ text = '', calls = [] }: ScriptedTurn): Chunk[] {
  const words = text.match(/\S+\s*/g) ?? [];
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't' },
    ...words.map((delta): Chunk => ({ type: 'text-delta', id: 't', delta })),
    { type: 'text-end', id: 't' },
    ...calls.map(({ tool, input }): Chunk => ({
      type: 'tool-call',
      toolCallId: `call_${(callsMade += 1)}`,
      toolName: tool,
      input: JSON.stringify(input),
    })),
    {
      type: 'finish',
      finishReason: calls.length > 0 ? { unified: 'tool-calls', raw: 'tool_use' } : { unified: 'stop', raw: 'end_turn' },
      usage: { inputTokens: counted(1), outputTokens: { total: 1, text: 1, reasoning: undefined } },
    },
  ];
}

const counted = (total: number) => ({ total, noCache: total, cacheRead: undefined, cacheWrite: undefined });
