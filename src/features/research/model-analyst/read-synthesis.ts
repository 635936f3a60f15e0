import { collapseSpaces, slugify } from '#lib/text.ts';
import type { Analysis, Interpretation, Synthesis } from '../analyst.ts';
import type { Material } from '../prompts/material.ts';
import type { ScoredParts, SynthesizeAnswer } from '../prompts/synthesize.ts';
import type { BuildItem, Cited, MarketFeature } from '../schema.ts';
import { askedFeatureId } from './ground-analysis.ts';

const FIRST_VERSION = 7;

/** What a model was shown of a research. */
type Known = { idea: Interpretation; analysis: Analysis; material: Material };

/** What a model wrote about a research, around the score that was computed. */
export function readSynthesis(answer: SynthesizeAnswer, about: Known, scored: ScoredParts): Synthesis {
  const { analysis, material } = about;
  const ids = (short: readonly string[]): string[] => [...new Set(short.map(material.idOf))];
  const cited = (statements: SynthesizeAnswer['reasons_for']): Cited[] =>
    statements.map(({ text, evidence }) => ({ text: collapseSpaces(text), evidence_ids: ids(evidence) })).filter(({ text }) => text !== '');
  const buildItems = (items: SynthesizeAnswer['first_version']): BuildItem[] =>
    items.map((item) => buildItem(item, featureCalled(item.feature_id, about), ids(item.evidence)));
  const assumptionId = (place: number | null): string | null =>
    place !== null && answer.assumptions[place - 1] !== undefined ? `assumption-${place}` : null;
  return {
    recommendation: {
      ...scored,
      rationale: collapseSpaces(answer.rationale) || (analysis.noneBecause ?? ''),
      reasons_for: cited(answer.reasons_for),
      reasons_against: cited(answer.reasons_against),
    },
    whitespaces: answer.gaps.map((gap) => ({
      id: slugify(gap.title),
      title: collapseSpaces(gap.title),
      description: collapseSpaces(gap.description),
      feature_ids: gap.feature_ids.map((id) => featureCalled(id, about)?.id ?? id),
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

/** The listed feature that an id means, whether it is its own or the short one of the material. */
function featureCalled(id: string, { idea, analysis, material }: Known): MarketFeature | undefined {
  const called = [id.trim(), askedFeatureId(idea, id), material.featureOf(id), slugify(id)];
  return analysis.features.find((feature) => called.includes(feature.id));
}

/** A feature that is not listed keeps the model's words, for the evidence lock to catch and count. */
function buildItem(item: SynthesizeAnswer['first_version'][number], feature: MarketFeature | undefined, evidence: string[]): BuildItem {
  return {
    id: feature?.id ?? item.feature_id,
    label: feature?.name ?? collapseSpaces(item.label),
    reason: collapseSpaces(item.reason),
    evidence_ids: evidence.length > 0 ? evidence : (feature?.evidence_ids ?? []),
  };
}
