import type { Evidence, ResearchArtifact } from '#features/research';
import { ModelError } from '#platform/llm/models.ts';
import { runErrorOf } from '#platform/runs/run-errors.ts';
import type { Logger } from '#platform/observability/log.ts';
import { qualityOf } from './quality.ts';
import type { QualityParts, SectionError } from './schema.ts';
import type { SectionContent } from './section-content.ts';
import type { SectionLock } from './section-lock.ts';
import type { SectionType } from './states.ts';
import { citedIn } from './statements.ts';
import type { BriefCase, BriefWriter, Draft, Drafts, WriteRun } from './writer.ts';

const ATTEMPTS = 3;

export type Written = { status: 'written'; content: SectionContent; quality: QualityParts; score: number; sources: Evidence[]; dropped: number };
export type Unwritten = { status: 'failed'; error: SectionError };
export type Outcome = { section: SectionType } & (Written | Unwritten);

export type SectionNeeds = { writer: BriefWriter; lock: SectionLock; log: Logger };

/**
 * Writes sections together and holds them against the research. What a model did not answer is asked for again: all of it,
 * or by itself the section that could not be read. What goes wrong is a section's outcome, not a throw, so that the others
 * go on; only an interruption is thrown.
 */
export async function writeSections(needs: SectionNeeds, sections: readonly SectionType[], about: BriefCase, run: WriteRun): Promise<Outcome[]> {
  const drafts: Drafts = {};
  let error: unknown;
  const missing = (): SectionType[] => sections.filter((section) => !drafts[section]);
  for (let attempt = 1; attempt <= ATTEMPTS && missing().length > 0; attempt += 1) {
    const left = missing();
    const asked = left.length < sections.length ? left.map((section) => [section]) : [left];
    const answers = await Promise.allSettled(asked.map((group) => needs.writer.write(group, about, run)));
    run.signal.throwIfAborted();
    for (const answer of answers) if (answer.status === 'fulfilled') Object.assign(drafts, answer.value);
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) {
      error = failed.reason;
      needs.log.warn({ err: error, sections: left, attempt }, 'sections were not written');
      if (!(error instanceof ModelError) || error.reason === 'refused') break;
    }
  }
  return sections.map((section) => {
    const draft: Draft | undefined = drafts[section];
    if (draft) return { section, ...keptOf(needs, section, draft, about) };
    const unread = new ModelError('malformed', 'the answer did not hold this section');
    return { section, status: 'failed', error: runErrorOf(error ?? unread, `section ${section}`) };
  });
}

function keptOf({ lock }: SectionNeeds, section: SectionType, draft: Draft, { artifact }: BriefCase): Written {
  const { value, dropped } = lock<SectionContent>(draft.content);
  const { score, parts } = qualityOf(section, value as never, artifact);
  return { status: 'written', content: value, quality: parts, score, sources: sourcesOf(value, artifact), dropped: draft.dropped + dropped };
}

const sourcesOf = (content: SectionContent, { evidence }: ResearchArtifact): Evidence[] => {
  const cited = new Set(citedIn(content));
  return evidence.filter(({ id }) => cited.has(id));
};
