import type { z } from 'zod';
import { ModelError, type ObjectModel } from '#platform/llm/models.ts';
import type { Logger } from '#platform/observability/log.ts';
import type { FeatureAnalyst, FeatureStage } from '../analyst.ts';
import { ANALYZE_FEATURE_SYSTEM, AnalyzeFeatureAnswer, analyzeFeaturePrompt } from '../prompts/analyze-feature.ts';
import { COUNSEL_SYSTEM, CounselAnswer, counselPrompt } from '../prompts/counsel.ts';
import { materialOf } from '../prompts/material.ts';
import { readAnalysis } from './read-analysis.ts';
import { readCounsel } from './read-counsel.ts';

/** Characters of each source that a question shows to the model. */
const SHOWN = { analyze: 2500, counsel: 400 };

type Question<T> = { name: string; system: string; prompt: string; schema: z.ZodType<T> };

/**
 * The analyst that asks a language model: one call per feature and one for the plan. Where the model does not answer, the
 * rules do, and the analysis says so.
 */
export function modelAnalyst(model: ObjectModel, rules: FeatureAnalyst, log: Pick<Logger, 'warn'>): FeatureAnalyst {
  const ask = async <T>(question: Question<T>, stage: FeatureStage): Promise<T | null> => {
    try {
      const { object, usage } = await model.object({ ...question, signal: stage.signal });
      stage.spend(usage);
      return object;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      log.warn({ err: error, call: question.name }, 'the model did not answer, the rules do');
      return null;
    }
  };
  return {
    kind: 'model',
    analyze: async (about, stage) => {
      const material = materialOf(about.sources, SHOWN.analyze);
      const prompt = analyzeFeaturePrompt(about, material);
      const answer = await ask({ name: 'analyze-feature', system: ANALYZE_FEATURE_SYSTEM, prompt, schema: AnalyzeFeatureAnswer }, stage);
      const byRules = await rules.analyze(about, stage);
      return answer ? readAnalysis(about, answer, material, byRules) : byRules;
    },
    counsel: async (about, stage) => {
      const material = materialOf(about.sources, SHOWN.counsel);
      const prompt = counselPrompt(about, material);
      const answer = await ask({ name: 'feature-counsel', system: COUNSEL_SYSTEM, prompt, schema: CounselAnswer }, stage);
      const byRules = await rules.counsel(about, stage);
      return answer ? readCounsel(about, answer, material, byRules) : byRules;
    },
  };
}
