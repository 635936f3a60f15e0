import { shorten } from '#lib/text.ts';
import { shortIds, type Fence } from '#platform/llm/material.ts';
import type { ResearchArtifact } from '#features/research';

/** The research as a model is shown it, each thing once: evidence under short ids. */
export type Material = {
  text: string;
  /** The id for a short one; one that was never given out comes back as it is, and counts as invented later. */
  idOf(short: string): string;
};

const SHOWN = { text: 200, pages: 30, rivals: 16, features: 24, gaps: 8, assumptions: 5 };

export function materialOf(artifact: ResearchArtifact, fence: Fence): Material {
  const { incumbents, emerging, features, whitespaces: gaps, evidence_against: against, build_readiness: ready, recommendation, evidence } = artifact;
  const ids = shortIds(evidence.map(({ id }) => id));
  const marks = (cited: readonly string[]): string =>
    `[${cited
      .slice(0, 3)
      .flatMap((id) => ids.shortOf(id) ?? [])
      .join(', ')}]`;
  const rivals = [...incumbents, ...emerging].slice(0, SHOWN.rivals);
  const shown = features.slice(0, SHOWN.features);
  // What a product or a feature rests on first says what its line says.
  const told = new Set([...rivals, ...shown].map(({ evidence_ids: [id] }) => id));
  const { score }: { score: number | null } = recommendation;
  const part = (heading: string, lines: readonly string[]): string[] => (lines.length > 0 ? [`${heading}:`, ...lines.map(fence.clean)] : []);
  const lines = [
    ...part('The idea', [`${artifact.short_title}: ${artifact.idea.normalized_idea} For: ${artifact.idea.target_user || 'not said'}.`]),
    ...part('The market', [`${artifact.product_category}. ${score === null ? 'No score.' : `Score ${score} of 100.`} ${recommendation.rationale}`]),
    ...part(
      'Products',
      rivals.map(
        (rival) =>
          `- ${rival.id}: ${rival.name} (${rival.is_incumbent ? 'incumbent' : 'emerging'}, covers ${Math.round(rival.overlap * 100)} %, ${rival.pricing ?? 'price unknown'}, since ${rival.founded ?? 'unknown'}, ${rival.funding ?? 'funding unknown'}). ${rival.description} Has: ${rival.features.join(' ')} ${marks(rival.evidence_ids)}`,
      ),
    ),
    ...part(
      'Features',
      shown.map(
        (feature) =>
          `- ${feature.id}: ${feature.name}${feature.asked_for ? ', asked for' : ''}, recorded of ${feature.held_by.length} ${marks(feature.evidence_ids)}`,
      ),
    ),
    ...part(
      'Gaps',
      gaps.slice(0, SHOWN.gaps).map((gap) => `- ${gap.id}: ${gap.title} ${marks(gap.evidence_ids)}`),
    ),
    ...part(
      'Against it',
      against.map((item) => `- ${item.text} ${marks(item.evidence_ids)}`),
    ),
    ...part(
      'Only assumed',
      artifact.assumptions.slice(0, SHOWN.assumptions).map(({ text }) => `- ${text}`),
    ),
    ...part('First version', [ready.phase_1.map(({ id }) => id).join(' ')].filter(Boolean)),
    ...part(
      'Further evidence',
      evidence
        .filter(({ id }) => !told.has(id))
        .slice(0, SHOWN.pages)
        .map((row) => `${ids.shortOf(row.id)} | ${row.title} | ${shorten(row.snippet, SHOWN.text)}`),
    ),
  ];
  return { text: fence.around('The research', lines.join('\n')), idOf: (short) => ids.idOf(short) ?? short };
}
