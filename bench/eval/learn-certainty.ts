// Learns how surely the first market found for an idea is the one that it means: writes src/features/catalogue/certainty-weights.json.
// From the ideas of the tuning half, once as they are and once with their own markets taken out of the catalogue.
import { writeFileSync } from 'node:fs';
import type { CertaintySignals } from '../../src/features/catalogue/certainty.ts';
import { chooseMarkets } from '../../src/features/research/rule-analyst/markets.ts';
import { readIdeas, type EvaluationIdea } from './ideas.ts';
import { chanceOf, learnLogistic, type Logistic } from './logistic.ts';

type Row = { hand: string; half: string; signals: CertaintySignals; isRight: boolean; isTakenOut: boolean; said: string };

const PENALTY = 2;
/** What an idea without its market counts: about one idea in five is of a market that the catalogue does not have. */
const TAKEN_OUT = 0.25;

const ideas = readIdeas(new URL('./ideas/', import.meta.url)).filter(({ contentless, categories }) => !contentless && categories.length > 0);
const rows = ideas.flatMap(rowsOf);

function rowsOf({ idea, paraphrase, categories, hand, half }: EvaluationIdea): Row[] {
  return [idea, paraphrase].filter(Boolean).flatMap((text) => {
    const read = (isTakenOut: boolean): Row => {
      const { answer, categories: chosen } = chooseMarkets(text, {}, isTakenOut ? categories : []);
      const first = (chosen[0] ?? answer.categories[0]?.category)?.id ?? '';
      return { hand, half, signals: answer.signals, isRight: categories.includes(first), isTakenOut, said: text.slice(0, 90) };
    };
    return [read(false), read(true)];
  });
}

const names = Object.keys(rows[0]?.signals ?? {}) as (keyof CertaintySignals)[];
const columns = names.map((_, at) => at);
const taught = rows.filter(({ half }) => half === 'tuning');
const means = names.map((name) => taught.reduce((sum, { signals }) => sum + signals[name], 0) / taught.length);
const widths = names.map(
  (name, at) => Math.sqrt(taught.reduce((sum, { signals }) => sum + (signals[name] - (means[at] ?? 0)) ** 2, 0) / taught.length) || 1,
);
const scaled = ({ signals }: Row): number[] => names.map((name, at) => (signals[name] - (means[at] ?? 0)) / (widths[at] ?? 1));
const learnFrom = (given: readonly Row[]): Logistic =>
  learnLogistic(
    given.map((row) => ({ columns, values: scaled(row), says: Number(row.isRight), weight: row.isTakenOut ? TAKEN_OUT : 1 })),
    names.length,
    PENALTY,
  );

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

function print(title: string, judged: readonly { row: Row; chance: number }[]): void {
  process.stdout.write(`${title}: ${judged.length}\n`);
  for (const from of [0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9]) {
    const inside = judged.filter(({ row }) => !row.isTakenOut);
    const outside = judged.filter(({ row }) => row.isTakenOut);
    const sure = inside.filter(({ chance }) => chance >= from);
    process.stdout.write(
      `  from ${from}: unsure ${percent(inside.length - sure.length, inside.length)}, sure and wrong ${percent(sure.filter(({ row }) => !row.isRight).length, inside.length)}; ` +
        `of markets taken out sure ${percent(outside.filter(({ chance }) => chance >= from).length, outside.length)}\n`,
    );
  }
}

const hands = [...new Set(taught.map(({ hand }) => hand))];
const judged = hands.flatMap((hand) => {
  const logistic = learnFrom(taught.filter((row) => row.hand !== hand));
  return taught.filter((row) => row.hand === hand).map((row) => ({ row, chance: chanceOf({ columns, values: scaled(row) }, logistic) }));
});
print('each hand judged by what the others taught', judged);
for (const [hand, own] of Map.groupBy(judged, ({ row }) => row.hand)) if (process.argv.includes('--hands')) print(`  ${hand}`, own);
const all = learnFrom(taught);
const heldOut = rows.filter(({ half }) => half === 'held_out').map((row) => ({ row, chance: chanceOf({ columns, values: scaled(row) }, all) }));
print('held out', heldOut);
for (const name of names) process.stdout.write(`  ${name} ${(all.weights[names.indexOf(name)] ?? 0).toFixed(2)}\n`);

const round = (value: number): number => Math.round(value * 10_000) / 10_000;
const raw = columns.map((at) => (all.weights[at] ?? 0) / (widths[at] ?? 1));
const file = new URL('../../src/features/catalogue/certainty-weights.json', import.meta.url);
const next = {
  bias: round(all.bias - raw.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0)),
  weights: Object.fromEntries(names.map((name, at) => [name, round(raw[at] ?? 0)])),
};
writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`);
