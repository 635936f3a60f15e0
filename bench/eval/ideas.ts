import { readFileSync, readdirSync } from 'node:fs';

export type Half = 'tuning' | 'held_out';
export type EvaluationIdea = {
  id: string;
  segment: string;
  half: Half;
  language: string;
  idea: string;
  paraphrase: string;
  /** Plain words for the market. */
  category_hint: string;
  /** Acceptable catalogue ids; empty when not settled. */
  categories: string[];
  must: { name: string; essential: boolean }[];
  /** Well-known products of other markets that must not appear. */
  wrong: string[];
  contentless?: boolean;
};

/** The ideas of a folder of JSON arrays, in file order. */
export function readIdeas(folder: URL): EvaluationIdea[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as EvaluationIdea[]);
}
