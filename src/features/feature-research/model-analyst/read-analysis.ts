import { normaliseText } from '#lib/text.ts';
import type { FeatureCase } from '../analyst.ts';
import type { FeatureAnswer } from '../prompts/analyze-features.ts';
import type { Material } from '../prompts/material.ts';
import type { Approach, FeatureAnalysis } from '../schema.ts';
import type { PlanLock } from './plan-lock.ts';

const MOST_DAYS = 200;
const LEAST_DAYS = 0.5;

/**
 * A model's answer as an analysis. Addresses and licences come from the sources, dependencies from the library; what it
 * leaves empty stays empty, and what cites nothing known is dropped and counted by the evidence lock.
 */
export function readAnalysis(
  { feature, sources }: FeatureCase,
  answer: FeatureAnswer,
  { material, lock, byRules }: { material: Material; lock: PlanLock; byRules: FeatureAnalysis },
): FeatureAnalysis {
  const idsOf = ({ evidence }: { evidence: readonly string[] }): string[] => evidence.map((id) => material.idOf(id));
  const named = (name: string) => feature.competitors.find((rival) => normaliseText(rival.name) === normaliseText(name));
  const pageOf = (ids: readonly string[]): string => sources.find(({ id, url }) => ids.includes(id) && url.startsWith('http'))?.url ?? '';
  const texts = (list: FeatureAnswer['edge_cases']) => lock.checked(list.map((entry) => ({ text: entry.text, source_ids: idsOf(entry) })));
  const approaches = withOneRecommended(lock.checked(answer.technical_approaches.map((approach) => approachOf(approach, idsOf(approach)))));
  return {
    ...byRules,
    depth: approaches.length > 0 ? 'full' : 'thin',
    summary: lock.sound(answer.summary) || byRules.summary,
    implementations: lock.checked(
      answer.implementations.map((entry) => ({
        name: entry.name,
        url: named(entry.name)?.url ?? pageOf(idsOf(entry)),
        how: entry.how,
        source_ids: idsOf(entry),
      })),
    ),
    common_patterns: texts(answer.common_patterns),
    technical_approaches: approaches,
    edge_cases: texts(answer.edge_cases),
    oss_landscape: projectsOf(answer, byRules, lock),
    risks: lock.checked(
      answer.risks.map(({ risk, likelihood, impact, mitigation, evidence }) => ({
        risk,
        likelihood: Math.round(likelihood),
        impact: Math.round(impact),
        mitigation,
        source_ids: idsOf({ evidence }),
      })),
    ),
    analyst: 'model',
  };
}

/** The library's projects that the model chose, in its words of what they would do here. */
function projectsOf(answer: FeatureAnswer, { oss_landscape: known }: FeatureAnalysis, lock: PlanLock): FeatureAnalysis['oss_landscape'] {
  return answer.oss_landscape.flatMap(({ name, use_for: use }) => {
    const project = known.find((entry) => normaliseText(entry.name) === normaliseText(name));
    return project ? [{ ...project, use_for: lock.sound(use) || project.use_for }] : [];
  });
}

function approachOf(approach: FeatureAnswer['technical_approaches'][number], sourceIds: string[]): Approach {
  const clamp = (days: number): number => Math.min(MOST_DAYS, Math.max(LEAST_DAYS, days));
  const [low, high] = [clamp(approach.days_low), clamp(approach.days_high)].sort((left, right) => left - right) as [number, number];
  const { name, when, trade_offs, recommended } = approach;
  return { name, when, trade_offs, effort_days: { low, high }, recommended, source_ids: sourceIds };
}

function withOneRecommended(approaches: readonly Approach[]): Approach[] {
  const stands = approaches.filter(({ source_ids: ids }) => ids.length > 0);
  const chosen = stands.find(({ recommended }) => recommended) ?? stands[0] ?? approaches[0];
  return approaches.map((approach) => ({ ...approach, recommended: approach === chosen }));
}
