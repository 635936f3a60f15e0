// Learns what tells that a text asks for a feature: writes src/features/catalogue/asked-weights.json.
// bench/eval/asked holds what eight readers found asked for in the told ideas, among the features of the markets found for them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { askedSignals, ASKED_FROM } from '../../src/features/catalogue/asked-features.ts';
import { openCatalogue } from '../../src/features/catalogue/index.ts';
import { chooseMarkets } from '../../src/features/research/rule-analyst/markets.ts';
import { readIdeas } from './ideas.ts';
import { chanceOf, learnLogistic, type Logistic } from './logistic.ts';

/** What a reader found: the features asked for with the words that do so, and those over which readers may differ. */
type Reading = { id: string; markets: string[]; asked: Record<string, string>; maybe: string[] };
type Row = { hand: string; values: number[]; asked: 0 | 0.5 | 1 };

const PENALTY = 10;

const folder = new URL('./asked/', import.meta.url);
const texts = new Map(readIdeas(new URL('./ideas/', import.meta.url)).map(({ id, idea }) => [id, idea]));
const hands = readdirSync(folder).map((hand) => ({ hand, readings: JSON.parse(readFileSync(new URL(hand, folder), 'utf8')) as Reading[] }));
const names: string[] = [];
const rows = hands.flatMap(({ hand, readings }) => readings.flatMap((reading) => rowsOf(hand, reading)));

function rowsOf(hand: string, { id, markets, asked, maybe }: Reading): Row[] {
  const text = texts.get(id) ?? '';
  const { confidence } = chooseMarkets(text);
  const categories = markets.flatMap((market) => openCatalogue().category(market) ?? []);
  return categories
    .flatMap((category) => askedSignals(text, category, confidence))
    .map(({ feature, signals }) => {
      if (names.length === 0) names.push(...Object.keys(signals));
      return { hand, values: Object.values(signals), asked: feature in asked ? 1 : maybe.includes(feature) ? 0.5 : 0 };
    });
}

const columns = names.map((_, at) => at);
const means = columns.map((at) => rows.reduce((sum, { values }) => sum + (values[at] ?? 0), 0) / rows.length);
const widths = columns.map((at) => Math.sqrt(rows.reduce((sum, { values }) => sum + ((values[at] ?? 0) - (means[at] ?? 0)) ** 2, 0) / rows.length));
const scaled = ({ values }: Row): number[] => values.map((value, at) => (value - (means[at] ?? 0)) / (widths[at] ?? 1));
const learnFrom = (given: readonly Row[]): Logistic =>
  learnLogistic(
    given.filter(({ asked }) => asked !== 0.5).map((row) => ({ columns, values: scaled(row), says: row.asked, weight: 1 })),
    names.length,
    PENALTY,
  );

/** Each hand is judged by what the others taught. */
const judged = hands.flatMap(({ hand }) => {
  const learnt = learnFrom(rows.filter((row) => row.hand !== hand));
  return rows.filter((row) => row.hand === hand).map((row) => ({ asked: row.asked, chance: chanceOf({ columns, values: scaled(row) }, learnt) }));
});
const taken = judged.filter(({ chance }) => chance >= ASKED_FROM);
const right = taken.filter(({ asked }) => asked === 1).length;
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
process.stdout.write(
  `${rows.length} features of ${texts.size} ideas. From the hands not learnt from: ${percent(right, taken.length)} of what is taken as asked for is, ` +
    `${percent(right + taken.filter(({ asked }) => asked === 0.5).length, taken.length)} with the doubtful; ` +
    `${percent(right, judged.filter(({ asked }) => asked === 1).length)} of what is asked for is found\n`,
);

const { bias, weights } = learnFrom(rows);
const round = (value: number): number => Math.round(value * 1000) / 1000;
const raw = columns.map((at) => (weights[at] ?? 0) / (widths[at] ?? 1));
writeFileSync(
  new URL('../../src/features/catalogue/asked-weights.json', import.meta.url),
  `${JSON.stringify(
    {
      bias: round(bias - raw.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0)),
      weights: Object.fromEntries(names.map((name, at) => [name, round(raw[at] ?? 0)])),
    },
    null,
    2,
  )}\n`,
);
