import type { Logger } from '../observability/log.ts';
import type { ModelCallRecord, ModelCalls } from './model-calls.ts';
import { ModelError, type AskedFor, type Model, type ModelDirectory, type Models, type ModelStream, type Provider, type Usage } from './models.ts';

type UserKeys = Readonly<Record<Provider, string | null>>;

type Needs = {
  directory: ModelDirectory;
  /** The keys that a user stored, opened. */
  keysOf(userId: string): Promise<UserKeys>;
  calls: Pick<ModelCalls, 'record'>;
  log: Logger;
};

const PROVIDERS = ['llm_a', 'llm_b'] as const;

/** The models as each user has them, with every call written into the ledger. */
export const userModels = (needs: Needs): Models => ({
  forUser: async (userId, asked) => {
    const keys = await needs.keysOf(userId);
    const { configured } = needs.directory;
    const own = (provider: Provider): Model | null => {
      const key = keys[provider];
      return key ? recorded(needs.directory.withKey(provider, key), { ...needs, userId, asked, ownKey: true }) : null;
    };
    const shared = configured ? recorded(configured, { ...needs, userId, asked, ownKey: false }) : null;
    return {
      preferred: PROVIDERS.reduce<Model | null>((found, provider) => found ?? own(provider), null) ?? shared,
      chosen: ({ provider }) => own(provider) ?? (shared?.provider === provider ? shared : null),
    };
  },
});

type Recording = Pick<Needs, 'calls' | 'log'> & { userId: string; asked: AskedFor; ownKey: boolean };

function recorded(model: Model, { calls, log, userId, asked, ownKey }: Recording): Model {
  const { provider, model: name } = model;
  const begin = (call: string) => {
    const started = performance.now();
    return async (outcome: ModelCallRecord['outcome'], usage: Usage | undefined): Promise<void> => {
      const milliseconds = Math.round(performance.now() - started);
      const { calls: requests = 1, inputTokens = 0, outputTokens = 0 } = usage ?? {};
      const entry = { userId, ...asked, runKey: asked.runKey ?? null, call, provider, model: name, ownKey, requests, inputTokens, outputTokens };
      // An answer that was paid for is not thrown away because it could not be counted.
      await calls
        .record({ ...entry, milliseconds, outcome })
        .catch((error: unknown) => log.error({ err: error, call }, 'a model call was not recorded'));
    };
  };
  return {
    provider,
    model: name,
    object: async (call) => {
      const record = begin(call.name);
      try {
        const answer = await model.object(call);
        await record('ok', answer.usage);
        return answer;
      } catch (error) {
        await record(outcomeOf(error), error instanceof ModelError ? error.usage : undefined);
        throw error;
      }
    },
    text: (call) => recordedStream(model.text(call), () => begin(call.name)),
    tools: (call) => recordedStream(model.tools(call), () => begin(call.name)),
  };
}

const outcomeOf = (error: unknown): ModelCallRecord['outcome'] => (error instanceof ModelError ? error.reason : 'cancelled');

type Write = (outcome: ModelCallRecord['outcome'], usage: Usage) => Promise<void>;

function recordedStream<Part extends { kind: string }>(stream: ModelStream<Part>, begin: () => Write): ModelStream<Part> {
  async function* parts(): AsyncGenerator<Part> {
    const record = begin();
    let outcome: ModelCallRecord['outcome'] = 'cancelled';
    try {
      for await (const part of stream) {
        if (part.kind === 'end') outcome = 'ok';
        yield part;
      }
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      await record(outcome, stream.usage);
    }
  }
  return { usage: stream.usage, [Symbol.asyncIterator]: parts };
}
