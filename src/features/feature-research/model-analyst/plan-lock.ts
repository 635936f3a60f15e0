import { saidIn, type Said } from '#features/research';
import { textsIn } from '#lib/text.ts';

/** Plans have counts of their own; prices, shares, names and addresses stand in what was gathered. */
const PLANNED = { countsAreFree: true };

export type PlanLock = {
  /** The sentences that hold. */
  sound(text: string): string;
  isSound(text: string): boolean;
  /** Statements with their sources, and without any where a text of theirs does not hold, so that the evidence lock drops and counts them. */
  checked<T extends { source_ids: string[] }>(statements: readonly T[]): T[];
};

/** Holds what a model wrote against everything that it was shown. @param shown anything with texts in it */
export function planLock(shown: unknown): PlanLock {
  const said: Said = saidIn(textsIn(shown));
  const isSound = (text: string): boolean => said.faultOf(text, PLANNED) === undefined;
  return {
    isSound,
    sound: (text) => said.keepSound(text, PLANNED).text,
    checked: (statements) => statements.map((statement) => (writtenIn(statement).every(isSound) ? statement : { ...statement, source_ids: [] })),
  };
}

/** The texts of a statement; its address comes from a source. */
const writtenIn = (statement: object): string[] =>
  Object.entries(statement).flatMap(([key, value]: [string, unknown]) => (typeof value === 'string' && key !== 'url' ? [value] : []));
