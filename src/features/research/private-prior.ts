import type { ResearchArtifact } from './schema.ts';

/** `source_url` of an earlier research: an address of ours, not of the web. */
export const priorUrl = (jobId: string): string => `research:${jobId}`;

/** The artifact as others may see it: earlier research that is not public keeps its place as a source, but not its words. */
export function withoutPrivatePrior(artifact: ResearchArtifact, publicJobs: ReadonlySet<string>): ResearchArtifact {
  return {
    ...artifact,
    evidence: artifact.evidence.map((row) =>
      row.source_kind === 'prior_research' && !publicJobs.has((row.source_url ?? '').replace(/^research:/, ''))
        ? { ...row, source_url: null, title: 'Earlier research', snippet: 'An earlier research in the same market that its owner keeps private.' }
        : row,
    ),
  };
}
