import { shorten } from '#lib/text.ts';
import { openFence, shortIds } from '#platform/llm/material.ts';
import type { ResearchArtifact } from '#features/research';

/** The research as a model is shown it: evidence under short ids, between delimiters that no source can know. */
export type Material = {
  text: string;
  /** The id for a short one; one that was never given out comes back as it is, and counts as invented later. */
  idOf(short: string): string;
};

const SNIPPET = 300;

export function materialOf(artifact: ResearchArtifact): Material {
  const fence = openFence();
  const line = fence.clean;
  const ids = shortIds(artifact.evidence.map(({ id }) => id));
  const marks = (evidence: readonly string[]): string => `[${evidence.flatMap((id) => ids.shortOf(id) ?? []).join(', ')}]`;
  const rivals = [...artifact.incumbents, ...artifact.emerging].map((rival) =>
    line(
      `- ${rival.id}: ${rival.name} (${rival.is_incumbent ? 'incumbent' : 'emerging'}, covers ${Math.round(rival.overlap * 100)} %, ${rival.pricing ?? 'price unknown'}, since ${rival.founded ?? 'unknown'}, ${rival.funding ?? 'funding unknown'}). ${rival.description} Features: ${rival.features.join(', ')} ${marks(rival.evidence_ids)}`,
    ),
  );
  const features = artifact.features.map((feature) =>
    line(
      `- ${feature.id}: ${feature.name}${feature.asked_for ? ', asked for' : ''}, held by ${feature.held_by.length}: ${feature.held_by.join(', ')}. ${feature.description} ${marks(feature.evidence_ids)}`,
    ),
  );
  const gaps = artifact.whitespaces.map((gap) => line(`- ${gap.id}: ${gap.title}. ${gap.description} ${marks(gap.evidence_ids)}`));
  const against = artifact.evidence_against.map((item) => line(`- ${item.text} ${marks(item.evidence_ids)}`));
  const plan = artifact.build_readiness.phase_1.map((item) => line(`- ${item.id}: ${item.label}. ${item.reason} ${marks(item.evidence_ids)}`));
  const evidence = artifact.evidence.map((row) => line(`${ids.shortOf(row.id)} | ${row.title} | ${shorten(row.snippet, SNIPPET)}`));
  const parts = [
    line(
      `The idea: ${artifact.short_title}. ${artifact.idea.normalized_idea} For: ${artifact.idea.target_user}. Problem: ${artifact.idea.problem_statement}`,
    ),
    line(`Market: ${artifact.product_category}. Score ${artifact.recommendation.score} of 100: ${artifact.recommendation.rationale}`),
    `Products:\n${rivals.join('\n')}`,
    `Features:\n${features.join('\n')}`,
    `Gaps:\n${gaps.join('\n')}`,
    `Against it:\n${against.join('\n')}`,
    `First version:\n${plan.join('\n')}`,
    `Evidence:\n${evidence.join('\n')}`,
  ];
  return { text: fence.around('The research', parts.join('\n\n')), idOf: (short) => ids.idOf(short) ?? short };
}
