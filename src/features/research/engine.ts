import type { EngineChoice, Model } from '#platform/llm/models.ts';
import type { Analyst } from './analyst.ts';
import { modelAnalyst } from './model-analyst/model-analyst.ts';
import { ruleAnalyst } from './rule-analyst/rule-analyst.ts';
import type { Engine } from './schema.ts';

/** How a choice of model stands in a research and its artifact. */
export const engineOf = (choice: EngineChoice): Engine =>
  choice ? { analyst: 'model', ...choice } : { analyst: 'rule', provider: null, model: null };

/** The choice that a stored engine says. */
export const choiceOf = ({ provider, model }: { provider: Engine['provider']; model: string | null }): EngineChoice =>
  provider ? { provider, model: model ?? '' } : null;

/** The analyst over a model, or the one of the rules. */
export const analystOf = (model: Model | null): Analyst => (model ? modelAnalyst(model) : ruleAnalyst());
