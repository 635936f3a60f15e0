import { choiceOf, engineOf } from '#features/research';
import type { EngineChoice, Model } from '#platform/llm/models.ts';
import { modelPlanner } from './model-planner/model-planner.ts';
import type { Planner } from './planner.ts';
import { rulePlanner } from './rule-planner/rule-planner.ts';
import type { Graph } from './graph-store.ts';
import type { Engine } from './schema.ts';

/** How a choice of model stands in a graph. */
export function plannedBy(choice: EngineChoice): Engine {
  const { analyst: planner, provider, model } = engineOf(choice);
  return { planner, provider, model };
}

/** The choice that a graph began with; undefined before it was worked. */
export const choiceOfGraph = ({ engine }: Graph): EngineChoice | undefined => (engine ? choiceOf(engine) : undefined);

/** The planner over a model, or the one of the rules. */
export const plannerOf = (model: Model | null): Planner => (model ? modelPlanner(model) : rulePlanner());
