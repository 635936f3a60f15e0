import { newId } from '#lib/ids.ts';
import { shortTitleOf } from '#features/projects';
import { certaintyIn, type Analysis, type Finding, type Gathered, type Judgement, type Synthesis } from './analyst.ts';
import { candidateMarkets, decidingQuestions } from './candidate-markets.ts';
import { earlierVerdicts } from './earlier-research.ts';
import type { Locked } from './evidence-lock.ts';
import { siteOf } from './grounding/addresses.ts';
import type { ResearchRun } from './research-run.ts';
import type { Evidence, Quality, ResearchArtifact, SourceKind, SourceReport } from './schema.ts';
import { relevantFindings } from './stages/analyze.ts';
import type { Reading } from './stages/interpret.ts';

export type Before = {
  interpret: Reading;
  search: Gathered;
  judge: Judgement;
  analyze: Locked<Analysis>;
  synthesize: Locked<Synthesis>;
};

/** The artifact of a run from what its stages found; `usage` is added when the run ends. */
export function assembleArtifact({ job, analyst, ctx, warnings }: ResearchRun, before: Before): ResearchArtifact {
  const { interpret: about, analyze, synthesize } = before;
  const { incumbents, emerging, features, audience, useCases, marketEvidenceIds } = analyze.value;
  const { recommendation, whitespaces, evidenceAgainst, assumptions, nextSteps, phase1, phase2 } = synthesize.value;
  const findings = relevantFindings(before);
  const candidates = candidateMarkets(job.idea, about);
  // A run that an older version began has none.
  const { earlier = [] } = before.search;
  const evidence = [...findings.map(evidenceRow), ...earlier.map(({ row }) => row)].sort(byStrength);
  const against = [...evidenceAgainst, ...earlierVerdicts(earlier)];
  return {
    id: newId(),
    job_id: job.id,
    product_idea: job.idea,
    product_category: about.category,
    product_name: about.productName ?? 'Your product',
    short_title: about.shortTitle || shortTitleOf(job.idea),
    one_line_summary: about.oneLineSummary,
    engine: analyst.engine,
    idea: {
      raw_input: job.idea,
      normalized_idea: about.normalizedIdea,
      language: about.language,
      target_user: about.targetUser,
      problem_statement: about.problemStatement,
      proposed_solution: about.proposedSolution,
    },
    classification: {
      category: about.category,
      subcategory: about.subcategory,
      market_type: about.marketType,
      confidence: about.confidence,
      category_ids: about.categoryIds,
      certainty: certaintyIn(about),
      candidates,
      questions: candidates.length > 0 ? decidingQuestions(candidates) : [],
    },
    market: {
      audience,
      use_cases: useCases,
      competitors: [...incumbents, ...emerging],
      opportunities: whitespaces.map((gap) => gap.title),
      evidence_ids: marketEvidenceIds,
    },
    incumbents,
    emerging,
    features,
    whitespaces,
    recommendation,
    evidence_against: against,
    assumptions,
    next_steps: nextSteps,
    build_readiness: { phase_1: phase1, phase_2: phase2 },
    ui_sections: [
      { key: 'recommendation', title: 'Verdict', count: recommendation.reasons_for.length + recommendation.reasons_against.length },
      { key: 'incumbents', title: 'Incumbents', count: incumbents.length },
      { key: 'emerging', title: 'Emerging players', count: emerging.length },
      { key: 'features', title: 'Features', count: features.length },
      { key: 'whitespaces', title: 'Gaps', count: whitespaces.length },
      { key: 'evidence_against', title: 'Evidence against', count: against.length },
      { key: 'assumptions', title: 'Assumptions', count: assumptions.length },
      { key: 'next_steps', title: 'Next steps', count: nextSteps.length },
      { key: 'evidence', title: 'Sources', count: evidence.length },
    ],
    evidence,
    from_memory: before.search.fromMemory ?? [],
    quality: qualityOf(before, evidence, recommendation.score),
    warnings: [...warnings, ...before.search.sources.flatMap((source) => (source.warning ? [source.warning] : []))],
    usage: {},
    created_at: ctx.clock.now().toISOString(),
  };
}

const evidenceRow = (finding: Finding): Evidence => ({
  id: finding.id,
  source_kind: finding.kind,
  source_url: finding.url,
  title: finding.title,
  snippet: finding.snippet,
  confidence: finding.confidence,
  freshness_score: finding.freshness,
  fetched_at: finding.fetchedAt,
});

/** Confidence, then freshness, then time, all descending; what has no confidence comes last. */
function byStrength(left: Evidence, right: Evidence): number {
  return (
    (right.confidence ?? -1) - (left.confidence ?? -1) ||
    right.freshness_score - left.freshness_score ||
    String(right.fetched_at).localeCompare(String(left.fetched_at))
  );
}

/** Which source a kind of evidence comes from. */
const GATHERED_BY: Record<SourceKind, SourceReport['source']> = {
  canonical_company: 'catalogue',
  canonical_feature: 'catalogue',
  prior_research: 'prior_research',
  web: 'web',
};

function qualityOf(before: Before, evidence: readonly Evidence[], score: number | null): Quality {
  const byKind: Record<SourceKind, number> = { web: 0, canonical_company: 0, canonical_feature: 0, prior_research: 0 };
  for (const row of evidence) byKind[row.source_kind] += 1;
  return {
    overall_score: score,
    evidence_count: evidence.length,
    evidence_by_kind: byKind,
    independent_domains: new Set(evidence.map((row) => siteOf(row.source_url)).filter(Boolean)).size,
    fabricated_citations: (before.interpret.fabricated ?? 0) + before.analyze.fabricated + before.synthesize.fabricated,
    unsupported_dropped: (before.interpret.unsupported ?? 0) + before.analyze.unsupported + before.synthesize.unsupported,
    // Kept is what the judge left, and what no other source had already.
    sources: before.search.sources.map((report) => ({
      ...report,
      kept: evidence.filter((row) => GATHERED_BY[row.source_kind] === report.source).length,
    })),
  };
}
