import { collapseSpaces, slugify } from '#lib/text.ts';
import type { Analysis, Synthesis } from '../analyst.ts';
import type { Material } from '../prompts/material.ts';
import type { ScoredParts, SynthesizeAnswer } from '../prompts/synthesize.ts';
import type { BuildItem, Cited } from '../schema.ts';

const FIRST_VERSION = 7;

/** What a model wrote about a research, around the score that was computed. */
export function readSynthesis(answer: SynthesizeAnswer, analysis: Analysis, scored: ScoredParts, material: Material): Synthesis {
  const ids = (short: readonly string[]): string[] => [...new Set(short.map(material.idOf))];
  const cited = (statements: SynthesizeAnswer['reasons_for']): Cited[] =>
    statements.map(({ text, evidence }) => ({ text: collapseSpaces(text), evidence_ids: ids(evidence) })).filter(({ text }) => text !== '');
  const buildItems = (items: SynthesizeAnswer['first_version']): BuildItem[] => items.map((item) => buildItem(item, analysis, ids(item.evidence)));
  const assumptionId = (place: number | null): string | null =>
    place !== null && answer.assumptions[place - 1] !== undefined ? `assumption-${place}` : null;
  return {
    recommendation: {
      ...scored,
      rationale: collapseSpaces(answer.rationale),
      reasons_for: cited(answer.reasons_for),
      reasons_against: cited(answer.reasons_against),
    },
    whitespaces: answer.gaps.map((gap) => ({
      id: slugify(gap.title),
      title: collapseSpaces(gap.title),
      description: collapseSpaces(gap.description),
      feature_ids: gap.feature_ids,
      evidence_ids: ids(gap.evidence),
    })),
    evidenceAgainst: cited(answer.evidence_against),
    assumptions: answer.assumptions.map((assumption, index) => ({ ...assumption, id: `assumption-${index + 1}` })),
    nextSteps: answer.next_steps.map(({ title, how, success_signal: signal, assumption, evidence }) => ({
      title,
      how,
      success_signal: signal,
      assumption_id: assumptionId(assumption),
      evidence_ids: ids(evidence),
    })),
    phase1: buildItems(answer.first_version).slice(0, FIRST_VERSION),
    phase2: [...buildItems(answer.first_version).slice(FIRST_VERSION), ...buildItems(answer.later)],
  };
}

/** A feature that is not listed keeps the model's words, for the evidence lock to catch and count. */
function buildItem(item: SynthesizeAnswer['first_version'][number], analysis: Analysis, evidence: string[]): BuildItem {
  const feature = analysis.features.find(({ id }) => id === item.feature_id);
  return { id: item.feature_id, label: feature?.name ?? collapseSpaces(item.label), reason: collapseSpaces(item.reason), evidence_ids: evidence };
}
