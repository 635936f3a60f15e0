import { newId } from '#lib/ids.ts';
import { shortTitleOf } from '#features/projects';
import type { Analysis, Finding, Gathered, Interpretation, Judgement, Synthesis } from './analyst.ts';
import type { Locked } from './evidence-lock.ts';
import { siteOf } from './grounding/addresses.ts';
import type { ResearchRun } from './pipeline.ts';
import type { Evidence, Quality, ResearchArtifact, SourceKind, SourceReport } from './schema.ts';
import { relevantFindings } from './stages/analyze.ts';

export type Before = { interpret: Interpretation; search: Gathered; judge: Judgement; analyze: Locked<Analysis>; synthesize: Locked<Synthesis> };

/** The artifact of a run from what its stages found; `usage` is added when the run ends. */
export function assembleArtifact({ job, analyst, ctx }: ResearchRun, before: Before): ResearchArtifact {
  const { interpret: about, analyze, synthesize } = before;
  const { incumbents, emerging, features, audience, useCases, marketEvidenceIds } = analyze.value;
  const { recommendation, whitespaces, evidenceAgainst, assumptions, nextSteps, phase1, phase2 } = synthesize.value;
  const findings = relevantFindings(before);
  return {
    id: newId(),
    job_id: job.id,
    product_idea: job.idea,
    product_category: about.category,
    product_name: about.productName ?? about.shortTitle,
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
    evidence_against: evidenceAgainst,
    assumptions,
    next_steps: nextSteps,
    build_readiness: { phase_1: phase1, phase_2: phase2 },
    ui_sections: [
      { key: 'recommendation', title: 'Verdict', count: recommendation.reasons_for.length + recommendation.reasons_against.length },
      { key: 'incumbents', title: 'Incumbents', count: incumbents.length },
      { key: 'emerging', title: 'Emerging players', count: emerging.length },
      { key: 'features', title: 'Features', count: features.length },
      { key: 'whitespaces', title: 'Gaps', count: whitespaces.length },
      { key: 'evidence_against', title: 'Evidence against', count: evidenceAgainst.length },
      { key: 'assumptions', title: 'Assumptions', count: assumptions.length },
      { key: 'next_steps', title: 'Next steps', count: nextSteps.length },
      { key: 'evidence', title: 'Sources', count: findings.length },
    ],
    evidence: findings.map(evidenceRow).sort(byStrength),
    quality: qualityOf(before, findings, recommendation.score),
    warnings: before.search.sources.flatMap((source) => (source.warning ? [source.warning] : [])),
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

function qualityOf(before: Before, findings: readonly Finding[], score: number): Quality {
  const byKind: Record<SourceKind, number> = { web: 0, canonical_company: 0, canonical_feature: 0, prior_research: 0 };
  for (const finding of findings) byKind[finding.kind] += 1;
  return {
    overall_score: score,
    evidence_count: findings.length,
    evidence_by_kind: byKind,
    independent_domains: new Set(findings.map((finding) => siteOf(finding.url)).filter(Boolean)).size,
    fabricated_citations: before.analyze.fabricated + before.synthesize.fabricated,
    unsupported_dropped: before.analyze.unsupported + before.synthesize.unsupported,
    // Kept is what the judge left, and what no other source had already.
    sources: before.search.sources.map((report) => ({ ...report, kept: findings.filter(({ kind }) => GATHERED_BY[kind] === report.source).length })),
  };
}
