import type { Counsel } from '../analyst.ts';
import type { CounselAnswer } from '../prompts/counsel.ts';
import type { Material } from '../prompts/material.ts';

const MOST_ASSUMPTIONS = 4;

/** A model's answer as counsel; without recommendations of its own it keeps the rules'. */
export function readCounsel(answer: CounselAnswer, material: Material, byRules: Counsel): Counsel {
  const idsOf = (evidence: readonly string[]): string[] => evidence.map((id) => material.idOf(id));
  const recommendations = answer.recommendations.map(({ title, rationale, features, evidence }) => ({
    title,
    rationale,
    feature_ids: features,
    source_ids: idsOf(evidence),
  }));
  return {
    recommendations: recommendations.length > 0 ? recommendations : byRules.recommendations,
    strategicSummary: answer.strategic_summary || byRules.strategicSummary,
    assumptions: answer.assumptions.slice(0, MOST_ASSUMPTIONS),
    edges: answer.dependencies.map(({ before, after, reason, evidence }) => ({ from: before, to: after, reason, sourceIds: idsOf(evidence) })),
    risks: answer.risks.map(({ risk, likelihood, impact, mitigation, features, evidence }) => ({
      risk,
      likelihood: Math.round(likelihood),
      impact: Math.round(impact),
      mitigation,
      feature_ids: features,
      source_ids: idsOf(evidence),
    })),
    priorities: answer.priorities,
  };
}
