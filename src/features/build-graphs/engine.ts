import { chooseEngine as chooseModel, modelOf, type KeyReader } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import { modelPlanner } from './model-planner/model-planner.ts';
import type { Planner } from './planner.ts';
import { rulePlanner } from './rule-planner/rule-planner.ts';
import type { Engine } from './schema.ts';

/** The engine for a new run, chosen as a research's is. */
export async function chooseEngine(ctx: Pick<AppContext, 'models'>, userId: string, readKeys: KeyReader): Promise<Engine> {
  const { analyst, provider, model } = await chooseModel(ctx, userId, readKeys);
  return { planner: analyst, provider, model };
}

/** The planner of a run, by the engine that was written when it started. */
export async function plannerFor(ctx: Pick<AppContext, 'models'>, engine: Engine, userId: string, readKeys: KeyReader): Promise<Planner> {
  const { planner: analyst, provider, model: name } = engine;
  const model = await modelOf(ctx, { analyst, provider, model: name }, userId, readKeys);
  return model ? modelPlanner(model) : rulePlanner();
}
