import { normaliseText } from '#lib/text.ts';
import type { FeatureCase } from '../analyst.ts';
import type { AnalyzeFeatureAnswer } from '../prompts/analyze-feature.ts';
import type { Material } from '../prompts/material.ts';
import type { Approach, FeatureAnalysis } from '../schema.ts';
import { planLock, type PlanLock } from './plan-lock.ts';

const MOST_DAYS = 200;
const LEAST_DAYS = 0.5;

/**
 * A model's answer as an analysis. Addresses and licences come from the sources, dependencies from the library; an answer
 * that leaves a section empty for which the library has something gets the library's.
 */
export function readAnalysis(about: FeatureCase, answer: AnalyzeFeatureAnswer, material: Material, byRules: FeatureAnalysis): FeatureAnalysis {
  const { feature, sources } = about;
  const idsOf = ({ evidence }: { evidence: readonly string[] }): string[] => evidence.map((id) => material.idOf(id));
  const named = (name: string) => feature.competitors.find((rival) => normaliseText(rival.name) === normaliseText(name));
  const pageOf = (ids: readonly string[]): string => sources.find(({ id, url }) => ids.includes(id) && url.startsWith('http'))?.url ?? '';
  const lock = planLock(about);
  const approaches = withOneRecommended(lock.checked(answer.technical_approaches.map((approach) => approachOf(approach, idsOf(approach)))));
  const known = new Set(sources.map(({ id }) => id));
  // What cites nothing known stays in the list to be counted when it is dropped; the rules' words take its place.
  const orRules = <T extends { source_ids: string[] }>(written: readonly T[], rules: readonly T[]): T[] => {
    const own = lock.checked(written);
    return own.some(({ source_ids: ids }) => ids.some((id) => known.has(id))) ? own : [...own, ...rules];
  };
  return {
    ...byRules,
    depth: approaches.length > 0 ? 'full' : byRules.depth,
    summary: lock.sound(answer.summary) || byRules.summary,
    implementations: orRules(
      answer.implementations.map((entry) => ({
        name: entry.name,
        url: named(entry.name)?.url ?? pageOf(idsOf(entry)),
        how: entry.how,
        source_ids: idsOf(entry),
      })),
      byRules.implementations,
    ),
    common_patterns: orRules(
      answer.common_patterns.map((entry) => ({ text: entry.text, source_ids: idsOf(entry) })),
      byRules.common_patterns,
    ),
    technical_approaches: orRules(approaches, byRules.technical_approaches),
    edge_cases: orRules(
      answer.edge_cases.map((entry) => ({ text: entry.text, source_ids: idsOf(entry) })),
      byRules.edge_cases,
    ),
    oss_landscape: projectsOf(answer, byRules, lock),
    risks: orRules(
      answer.risks.map(({ risk, likelihood, impact, mitigation, evidence }) => ({
        risk,
        likelihood: Math.round(likelihood),
        impact: Math.round(impact),
        mitigation,
        source_ids: idsOf({ evidence }),
      })),
      byRules.risks,
    ),
    analyst: 'model',
  };
}

/** The library's projects, those that the model chose first and in its words of what they would do here. */
function projectsOf(answer: AnalyzeFeatureAnswer, { oss_landscape: known }: FeatureAnalysis, lock: PlanLock): FeatureAnalysis['oss_landscape'] {
  const chosen = answer.oss_landscape.flatMap(({ name, use_for: use }) => {
    const project = known.find((entry) => normaliseText(entry.name) === normaliseText(name));
    return project ? [{ ...project, use_for: lock.sound(use) || project.use_for }] : [];
  });
  return [...chosen, ...known.filter(({ url }) => !chosen.some((project) => project.url === url))];
}

function approachOf(approach: AnalyzeFeatureAnswer['technical_approaches'][number], sourceIds: string[]): Approach {
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
