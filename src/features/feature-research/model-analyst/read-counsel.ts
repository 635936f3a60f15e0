import type { BlueprintCase, Counsel } from '../analyst.ts';
import type { CounselAnswer } from '../prompts/counsel.ts';
import type { Material } from '../prompts/material.ts';
import { planLock } from './plan-lock.ts';

const MOST_ASSUMPTIONS = 4;

/** A model's answer as counsel; what it leaves empty stays empty. */
export function readCounsel(about: BlueprintCase, answer: CounselAnswer, material: Material, byRules: Counsel): Counsel {
  const lock = planLock(about);
  const idsOf = (evidence: readonly string[]): string[] => evidence.map((id) => material.idOf(id));
  const recommendations = lock.checked(
    answer.recommendations.map(({ title, rationale, features, evidence }) => ({
      title,
      rationale,
      feature_ids: features,
      source_ids: idsOf(evidence),
    })),
  );
  return {
    recommendations,
    strategicSummary: lock.sound(answer.strategic_summary) || byRules.strategicSummary,
    assumptions: answer.assumptions.filter(lock.isSound).slice(0, MOST_ASSUMPTIONS),
    edges: answer.dependencies
      .filter(({ reason }) => lock.isSound(reason))
      .map(({ before, after, reason, evidence }) => ({ from: before, to: after, reason, sourceIds: idsOf(evidence) })),
    risks: lock.checked(
      answer.risks.map(({ risk, likelihood, impact, mitigation, features, evidence }) => ({
        risk,
        likelihood: Math.round(likelihood),
        impact: Math.round(impact),
        mitigation,
        feature_ids: features,
        source_ids: idsOf(evidence),
      })),
    ),
    priorities: answer.priorities,
  };
}
