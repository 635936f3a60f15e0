import type { Analysis, Finding } from '../analyst.ts';
import type { ResearchArtifact } from '../schema.ts';
import { addCounts, groundsOf, type Grounds } from './grounds.ts';

/** What the research established: its evidence, and all that was locked into its artifact. */
export function groundsOfArtifact(artifact: ResearchArtifact): Grounds {
  const findings = artifact.evidence.flatMap(asFinding);
  const grounds = groundsOf(findings);
  grounds.addIdea(artifact.product_idea);
  const { features } = artifact;
  const rivals = [...artifact.incumbents, ...artifact.emerging];
  grounds.addText(artifactTexts(artifact).join(' . '));
  addCounts(grounds, analysisOf(artifact), findings);
  const shares = rivals.map(({ overlap }) => overlap);
  grounds.numbers.addShares(...shares);
  grounds.numbers.addCounts(...rivals.map(({ id }) => features.filter(({ held_by: holders }) => holders.includes(id)).length));
  return grounds;
}

function asFinding({ source_kind: kind, ...row }: ResearchArtifact['evidence'][number]): Finding[] {
  if (kind === 'prior_research') return [];
  const { id, source_url: url, title, snippet, confidence, freshness_score: freshness } = row;
  return [{ id, kind, url, title, snippet, text: snippet, confidence, freshness, fetchedAt: String(row.fetched_at), facts: null }];
}

const analysisOf = ({ incumbents, emerging, features, market }: ResearchArtifact): Analysis => ({
  incumbents,
  emerging,
  features,
  audience: market.audience,
  useCases: market.use_cases,
  marketEvidenceIds: market.evidence_ids,
});

/** The sentences of a finished research that went through its locks, and its idea. */
export function artifactTexts(artifact: ResearchArtifact): string[] {
  const { idea, classification, market, recommendation, whitespaces, build_readiness: plan, evidence_against: against, features } = artifact;
  const rivals = [...artifact.incumbents, ...artifact.emerging];
  return [
    artifact.short_title,
    artifact.product_name,
    artifact.product_category,
    artifact.one_line_summary,
    ...Object.values(idea),
    classification.category,
    classification.subcategory,
    ...market.audience,
    ...market.use_cases,
    ...rivals.flatMap((rival) => [rival.name, rival.description, rival.pricing ?? '', rival.funding ?? '', String(rival.founded ?? '')]),
    ...features.flatMap((feature) => [feature.name, feature.description]),
    ...whitespaces.flatMap((gap) => [gap.title, gap.description]),
    ...[...recommendation.reasons_for, ...recommendation.reasons_against, ...against].map(({ text }) => text),
    ...recommendation.parts.map(({ explanation }) => explanation),
    ...[...plan.phase_1, ...plan.phase_2].flatMap(({ label, reason }) => [label, reason]),
  ];
}
