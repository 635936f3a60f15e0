import { groundsOfArtifact, keepSound, type ResearchArtifact } from '#features/research';
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
