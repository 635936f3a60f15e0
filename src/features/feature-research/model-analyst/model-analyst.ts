import type { z } from 'zod';
import { openFence } from '#platform/llm/material.ts';
import { ModelError, type ObjectModel } from '#platform/llm/models.ts';
import type { Logger } from '#platform/observability/log.ts';
import type { FeatureAnalyst, FeatureStage } from '../analyst.ts';
import { ANALYZE_FEATURES_SYSTEM, analysisMaterial, AnalyzeFeaturesAnswer, analyzeFeaturesPrompt } from '../prompts/analyze-features.ts';
import { COUNSEL_SYSTEM, CounselAnswer, counselMaterial, counselPrompt } from '../prompts/counsel.ts';
import { planLock } from './plan-lock.ts';
import { readAnalysis } from './read-analysis.ts';
import { readCounsel } from './read-counsel.ts';

/** Features that one question asks about: an answer on more of them grows too long. */
const TOGETHER = 5;

type Question<T> = { name: string; system: string; prompt: string; schema: z.ZodType<T> };

/**
 * The analyst that asks a language model: one call for five features and one for the plan. Where the model does not answer,
 * on all of them or on one, the rules do, and the analysis says so.
 */
export function modelAnalyst(model: ObjectModel, rules: FeatureAnalyst, log: Pick<Logger, 'warn'>): FeatureAnalyst {
  // One code for the whole run, so that what every question begins with is the same.
  const fence = openFence();
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
    together: TOGETHER,
    analyze: async (cases, stage) => {
      const material = analysisMaterial(cases, fence);
      const prompt = analyzeFeaturesPrompt(cases, material, fence);
      const answer = await ask({ name: 'analyze-features', system: ANALYZE_FEATURES_SYSTEM, prompt, schema: AnalyzeFeaturesAnswer }, stage);
      const byRules = await rules.analyze(cases, stage);
      const lock = planLock(cases);
      return byRules.map((ruled, at) => {
        const about = cases[at];
        const said = answer?.features.find(({ id }) => id === ruled.feature_id);
        return about && said ? readAnalysis(about, said, { material, lock, byRules: ruled }) : ruled;
      });
    },
    counsel: async (about, stage) => {
      const material = counselMaterial(about, fence);
      const prompt = counselPrompt(about, material, fence);
      const answer = await ask({ name: 'feature-counsel', system: COUNSEL_SYSTEM, prompt, schema: CounselAnswer }, stage);
      const byRules = await rules.counsel(about, stage);
      return answer ? readCounsel(about, answer, material, byRules) : byRules;
    },
  };
}
