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
import type { BriefCase, BriefWriter, WriteRun } from './writer.ts';

const ATTEMPTS = 3;

export type Written = { status: 'written'; content: SectionContent; quality: QualityParts; score: number; sources: Evidence[]; dropped: number };
export type Unwritten = { status: 'failed'; error: SectionError };

export type SectionNeeds = { writer: BriefWriter; lock: SectionLock; log: Logger };

/**
 * Writes one section and holds it against the research; tries again when a model did not answer. What goes wrong is the
 * result, not a throw, so that the other sections go on; only an interruption is thrown.
 */
export async function writeSection(needs: SectionNeeds, section: SectionType, about: BriefCase, run: WriteRun): Promise<Written | Unwritten> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const written = await needs.writer.write(section, about, run);
      const { value, dropped } = needs.lock<SectionContent>(written.content);
      const { score, parts } = qualityOf(section, value as never, about.artifact);
      return {
        status: 'written',
        content: value,
        quality: parts,
        score,
        sources: sourcesOf(value, about.artifact),
        dropped: written.dropped + dropped,
      };
    } catch (error) {
      run.signal.throwIfAborted();
      needs.log.warn({ err: error, section, attempt }, 'a section was not written');
      const mayPass = error instanceof ModelError && error.reason !== 'refused';
      if (!mayPass || attempt === ATTEMPTS) return { status: 'failed', error: runErrorOf(error, `section ${section}`) };
    }
  }
}

const sourcesOf = (content: SectionContent, { evidence }: ResearchArtifact): Evidence[] => {
  const cited = new Set(citedIn(content));
  return evidence.filter(({ id }) => cited.has(id));
};
