import { readFileSync, readdirSync } from 'node:fs';

export type Half = 'tuning' | 'held_out';
export type EvaluationIdea = {
  id: string;
  /** Who wrote it: ideas of one hand are each of another market, those of two may be the same idea. */
  hand: string;
  segment: string;
  half: Half;
  language: string;
  idea: string;
  /** The same in other words; empty where nobody has put it so. */
  paraphrase: string;
  /** Plain words for the market. */
  category_hint: string;
  /** Acceptable catalogue ids; empty when not settled. */
  categories: string[];
  must: { name: string; essential: boolean }[];
  /** Well-known products of other markets that must not appear. */
  wrong: string[];
  /**
   * Marked as wrong by whoever wrote the idea, and taken for a near neighbour by a second reader who saw all names of an
   * idea in one list and knew neither the marks nor an answer.
   */
  neighbours?: string[];
  contentless?: boolean;
};

/** The ideas of a folder of JSON arrays, in file order. */
export function readIdeas(folder: URL): EvaluationIdea[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const ideas = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Omit<EvaluationIdea, 'hand'>[];
      const hand = /^(?:wide|fresh|told|later-[a-z])(?=[-.])/.exec(name)?.[0] ?? 'first';
      return ideas.map((idea) => ({ ...idea, hand }));
    });
}
