import type { AppContext } from '#platform/context.ts';
import type { Model } from '#platform/llm/models.ts';
import type { Analyst } from './analyst.ts';
import { modelAnalyst } from './model-analyst/model-analyst.ts';
import { ruleAnalyst } from './rule-analyst/rule-analyst.ts';
import { modelGone } from './run-failure.ts';
import type { Engine } from './schema.ts';

export type KeyReader = (userId: string) => Promise<{ llm_a: string | null; llm_b: string | null }>;

/** The engine for a new run: the user's own key first, then the installation's model, else the rules. */
export async function chooseEngine(ctx: Pick<AppContext, 'models'>, userId: string, readKeys: KeyReader): Promise<Engine> {
  const keys = await readKeys(userId);
  for (const provider of ['llm_a', 'llm_b'] as const) {
    const key = keys[provider];
    if (key) return { analyst: 'model', provider, model: ctx.models.withKey(provider, key).model };
  }
  const { configured } = ctx.models;
  return configured ? { analyst: 'model', provider: configured.provider, model: configured.model } : { analyst: 'rule', provider: null, model: null };
}

/** The analyst of a run, by the engine that was written when it started. */
export async function analystFor(ctx: Pick<AppContext, 'models'>, engine: Engine, userId: string, readKeys: KeyReader): Promise<Analyst> {
  const model = await modelOf(ctx, engine, userId, readKeys);
  return model ? modelAnalyst(model) : ruleAnalyst();
}

/** The model of a run's engine, with the user's own key where there is one; null for the rules. */
export async function modelOf(ctx: Pick<AppContext, 'models'>, engine: Engine, userId: string, readKeys: KeyReader): Promise<Model | null> {
  if (engine.analyst === 'rule' || !engine.provider) return null;
  const key = (await readKeys(userId))[engine.provider];
  const model = key ? ctx.models.withKey(engine.provider, key) : ctx.models.configured;
  if (!model) throw modelGone(engine.provider);
  return model;
}
