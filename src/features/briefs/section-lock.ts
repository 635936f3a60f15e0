import { addCounts, groundsOf, keepSound, type Analysis, type Finding, type Grounds, type ResearchArtifact } from '#features/research';
import { mapStatements } from './statements.ts';
import type { Cited, SectionContent } from './section-content.ts';

/** What is left after everything that no source bears out was dropped, and how much that was. */
type Locked<T> = { value: T; dropped: number };

/** Holds sections against the research they are written from; prepared once for all of them. */
export type SectionLock = <T extends SectionContent | Cited[]>(content: T) => Locked<T>;

/**
 * Keeps statements that cite evidence of the research and whose names, addresses and numbers the research established.
 * Entries that are left without evidence go as well.
 */
export function lockFor(artifact: ResearchArtifact): SectionLock {
  const grounds = groundsOfArtifact(artifact);
  return (content) => {
    let dropped = 0;
    const cite = (ids: readonly string[]): string[] => {
      const kept = [...new Set(ids)].filter((id) => grounds.ids.has(id));
      dropped += new Set(ids).size - kept.length;
      return kept;
    };
    const statement = (cited: Cited): Cited | null => {
      const { text, faults } = keepSound(cited.text, grounds);
      const ids = cite(cited.evidence_ids);
      dropped += faults.length;
      if (text !== '' && ids.length > 0) return { text, evidence_ids: ids };
      if (faults.length === 0) dropped += 1;
      return null;
    };
    const value = mapStatements(content, { statement, cite });
    return { value: Array.isArray(value) ? (value.filter(hasEvidence) as typeof value) : value, dropped };
  };
}

const hasEvidence = (entry: { evidence_ids: string[] }): boolean => entry.evidence_ids.length > 0;

/** What the research established: its evidence, and all that was locked into its artifact. */
function groundsOfArtifact(artifact: ResearchArtifact): Grounds {
  const findings = artifact.evidence.map(asFinding);
  const grounds = groundsOf(findings);
  grounds.addIdea(artifact.product_idea);
  const { idea, classification, market, recommendation, whitespaces, build_readiness: plan, evidence_against: against, features } = artifact;
  const rivals = [...artifact.incumbents, ...artifact.emerging];
  const texts = [
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
  grounds.addText(texts.join(' . '));
  addCounts(grounds, analysisOf(artifact), findings);
  const shares = rivals.map(({ overlap }) => overlap);
  grounds.numbers.addShares(...shares);
  grounds.numbers.addCounts(...rivals.map(({ id }) => features.filter(({ held_by: holders }) => holders.includes(id)).length));
  return grounds;
}

const asFinding = (row: ResearchArtifact['evidence'][number]): Finding => ({
  id: row.id,
  kind: row.source_kind,
  url: row.source_url,
  title: row.title,
  snippet: row.snippet,
  text: row.snippet,
  confidence: row.confidence,
  freshness: row.freshness_score,
  fetchedAt: String(row.fetched_at),
  facts: null,
});

const analysisOf = ({ incumbents, emerging, features, market }: ResearchArtifact): Analysis => ({
  incumbents,
  emerging,
  features,
  audience: market.audience,
  useCases: market.use_cases,
  marketEvidenceIds: market.evidence_ids,
});
