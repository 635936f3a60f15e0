import type { Db, Tx } from '#platform/db/database.ts';
import { publicAmong } from './research-access-store.ts';
import type { Cited, Evidence, Recommendation, ResearchArtifact } from './schema.ts';

/** One earlier research in the same market. It stands beside a result; no analyst sees it and no score counts it. */
export type EarlierResearch = { market: string; score: number | null; verdict: Recommendation['verdict']; row: Evidence };

/** Address of an earlier research as a source: one of ours, not of the web. */
export const earlierUrl = (jobId: string): string => `research:${jobId}`;

const LOW = 45;

/** What earlier verdicts say against an idea. Each statement cites its research and nothing else, so that it goes with it. */
export const earlierVerdicts = (earlier: readonly EarlierResearch[]): Cited[] =>
  earlier.flatMap(({ market, score, verdict, row }) =>
    score === null || score >= LOW
      ? []
      : [{ text: `An earlier research on “${market}” scored ${Math.round(score)} (${verdict.replaceAll('_', ' ')}).`, evidence_ids: [row.id] }],
  );

/** What may leave the owner of an artifact: nothing that rests on earlier research that is not public now, and not what it cost. */
export async function readableByOthers(db: Db | Tx, artifact: ResearchArtifact): Promise<ResearchArtifact> {
  return forOthers(artifact, await publicAmong(db, artifact.evidence.filter(isEarlier).map(jobOf)));
}

/** The same where it is known which earlier research is public; without any, nothing of it is left. */
export function forOthers(artifact: ResearchArtifact, publicJobs: ReadonlySet<string> = new Set()): ResearchArtifact {
  const hidden = new Set(artifact.evidence.filter((row) => isEarlier(row) && !publicJobs.has(jobOf(row))).map(({ id }) => id));
  const evidence = artifact.evidence.filter(({ id }) => !hidden.has(id));
  const left = { ...withoutSources({ ...artifact, evidence: [] }, hidden), evidence, usage: {} };
  const counts: Record<string, number> = { evidence: evidence.length, evidence_against: left.evidence_against.length };
  const kept = evidence.filter(isEarlier).length;
  const { quality } = left;
  return {
    ...left,
    ui_sections: left.ui_sections.map((section) => ({ ...section, count: counts[section.key] ?? section.count })),
    quality: {
      ...quality,
      evidence_count: evidence.length,
      evidence_by_kind: { ...quality.evidence_by_kind, prior_research: kept },
      sources: quality.sources.map((source) =>
        source.source === 'prior_research' ? { ...source, status: statusOf(source.status, kept), found: kept, kept, ms: 0 } : source,
      ),
    },
  };
}

const isEarlier = ({ source_kind: kind }: Evidence): boolean => kind === 'prior_research';
const jobOf = ({ source_url: url }: Evidence): string => (url ?? '').replace(earlierUrl(''), '');

type Status = ResearchArtifact['quality']['sources'][number]['status'];
const statusOf = (status: Status, kept: number): Status => (status === 'ok' && kept === 0 ? 'empty' : status);

/** Drops whatever cites hidden sources and nothing else, and takes its sentences out of the rationale. */
function withoutSources(artifact: ResearchArtifact, hidden: ReadonlySet<string>): ResearchArtifact {
  if (hidden.size === 0) return artifact;
  const dropped: string[] = [];
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit).filter((entry) => entry !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    const cited = 'evidence_ids' in value && Array.isArray(value.evidence_ids) ? value.evidence_ids : [];
    const left = cited.filter((id) => !hidden.has(id));
    if (cited.length > 0 && left.length === 0) {
      if ('text' in value) dropped.push(String(value.text));
      return undefined;
    }
    const entries = Object.entries(value).map(([key, inner]) => [key, key === 'evidence_ids' ? left : visit(inner)]);
    return Object.fromEntries(entries);
  };
  const left = visit(artifact) as ResearchArtifact;
  const { recommendation } = left;
  const rationale = dropped.reduce((text, sentence) => text.replace(sentence, ''), recommendation.rationale);
  return { ...left, recommendation: { ...recommendation, rationale } };
}
