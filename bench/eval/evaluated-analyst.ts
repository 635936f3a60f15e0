import { pino } from 'pino';
import type { Analyst } from '../../src/features/research/analyst.ts';
import { modelAnalyst } from '../../src/features/research/model-analyst/model-analyst.ts';
import { ruleAnalyst } from '../../src/features/research/rule-analyst/rule-analyst.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import { openModels } from '../../src/platform/llm/open-models.ts';
import { openMetrics } from '../../src/platform/observability/metrics.ts';

/**
 * The analyst to be evaluated: the rules, or the model that the environment configures as for the service.
 * @throws Error when a model is asked for and none is configured
 */
export function evaluatedAnalyst(byModel: boolean, env: NodeJS.ProcessEnv): Analyst {
  if (!byModel) return ruleAnalyst();
  const config = loadConfig(env);
  const { configured } = openModels(config.models, {
    timeoutSeconds: config.modelTimeoutSeconds,
    metrics: openMetrics(),
    log: pino({ level: 'silent' }),
  });
  if (!configured) throw new Error('--llm needs a model: set LLM_A_API_KEY or LLM_A_BASE_URL, or the same of LLM_B.');
  return modelAnalyst(configured);
}
