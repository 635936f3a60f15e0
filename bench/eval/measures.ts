import type { EvaluationIdea } from './ideas.ts';
import { sameProduct } from './names.ts';
import { sentencesOf, type Outcome, type Report } from './research-in-process.ts';

export type Run = { idea: EvaluationIdea; outcome: Outcome; paraphrase: Outcome | null };

export const reportOf = (outcome: Outcome | null): Report | undefined => (outcome?.kind === 'report' ? outcome.report : undefined);
export const namesOf = (report: Report | undefined): string[] =>
  [...(report?.analysis.incumbents ?? []), ...(report?.analysis.emerging ?? [])].map(({ name }) => name);
export const mean = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
export const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

const holds = (names: readonly string[], wanted: string): boolean => names.some((name) => sameProduct(name, wanted));

/** Share of an idea's must names among the first ten competitors; of all of them, or of those it would be embarrassing to miss. */
export const recallAtTen = ({ idea, outcome }: Run, which: 'all' | 'essential' = 'all'): number => {
  const first = namesOf(reportOf(outcome)).slice(0, 10);
  const wanted = idea.must.filter(({ essential }) => which === 'all' || essential);
  return mean(wanted.map(({ name }) => Number(holds(first, name))));
};

/** Whether an essential name stands among the first five. */
export const essentialInFive = ({ idea, outcome }: Run): boolean => {
  const first = namesOf(reportOf(outcome)).slice(0, 5);
  return idea.must.some(({ name, essential }) => essential && holds(first, name));
};

const shownOf = (names: readonly string[], outcome: Outcome): string[] => names.filter((name) => holds(namesOf(reportOf(outcome)), name));
export const wrongNames = ({ idea, outcome }: Run): string[] => shownOf(idea.wrong, outcome);
export const neighbours = ({ idea, outcome }: Run): string[] => shownOf(idea.neighbours ?? [], outcome);

/** Share of all names marked as wrong that are shown. */
export const wrongShare = (runs: readonly Run[]): number =>
  runs.reduce((sum, run) => sum + wrongNames(run).length, 0) / runs.reduce((sum, { idea }) => sum + idea.wrong.length, 0);

/** How far the score moves when an idea is said in other words; undefined when either has no score. */
export function scoreMove({ outcome, paraphrase }: Run): number | undefined {
  const [left, right] = [reportOf(outcome), reportOf(paraphrase)];
  const [one, other] = [left?.synthesis.recommendation.score ?? null, right?.synthesis.recommendation.score ?? null];
  return one !== null && other !== null ? Math.abs(one - other) : undefined;
}

/** Over all pairs of reports of different markets, the share of the shorter one's sentences that stand in both. */
export function sharedSentences(reports: readonly Report[]): { mean: number; max: number; worst: string[] } {
  const sets = reports.map((report) => new Set(sentencesOf(report).filter((sentence) => sentence.length > 0)));
  const shares: number[] = [];
  let max = 0;
  let worst: string[] = [];
  for (const [left, one] of sets.entries()) {
    for (const [right, other] of sets.entries()) {
      if (right <= left || reports[left]?.about.categoryIds[0] === reports[right]?.about.categoryIds[0]) continue;
      const same = [...one].filter((sentence) => other.has(sentence));
      const share = same.length / Math.max(1, Math.min(one.size, other.size));
      shares.push(share);
      if (share > max) [max, worst] = [share, same];
    }
  }
  return { mean: shares.length > 0 ? mean(shares) : 0, max, worst };
}

/** For each vector of a text, whether its paraphrase's nearest text is that text. */
export function findsItsOwn(texts: readonly number[][], paraphrases: readonly number[][]): boolean[] {
  const dot = (left: readonly number[], right: readonly number[]): number => left.reduce((sum, value, place) => sum + value * (right[place] ?? 0), 0);
  return paraphrases.map((vector, own) => {
    const best = texts.map((text, place) => ({ place, near: dot(vector, text) })).sort((left, right) => right.near - left.near)[0];
    return best?.place === own;
  });
}
