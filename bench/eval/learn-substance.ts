// Learns which texts name nothing that could be built: writes src/features/research/rule-analyst/substance-signs.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { openCatalogue } from '../../src/features/catalogue/index.ts';
import { signsOf } from '../../src/features/research/rule-analyst/substance.ts';
import { readIdeas } from './ideas.ts';
import { chanceOf, learnLogistic, type Logistic } from './logistic.ts';

/** Examples of a kind, and what each of them counts. */
type Examples = { kind: string; texts: readonly string[]; says: 0 | 1; weight: number };

const FEWEST_MENTIONS = 3;
const PENALTY = 0.1;
/** Weights smaller than this are left out. */
const TELLS = 0.03;
const NEEDS = 1500;
const SENTENCES = 1500;
const NAMES = 1500;
const FOLDS = 4;
const ROUNDS = 200;
/** Most ideas that may be refused when they were not learnt from. */
const MAY_REFUSE = 0.01;

const read = (name: string): string[] => JSON.parse(readFileSync(new URL(`./substance/${name}.json`, import.meta.url), 'utf8')) as string[];
const sampled = (texts: readonly string[], most: number): string[] => texts.filter((_, at) => at % Math.ceil(texts.length / most) === 0);
const all = readIdeas(new URL('./ideas/', import.meta.url));
const ideas = all.filter(({ half }) => half === 'tuning');
const real = ideas.filter(({ contentless }) => !contentless).flatMap(({ idea, paraphrase }) => [idea, paraphrase].filter(Boolean));
const markets = Array.from(openCatalogue().categories);
const needs = markets.flatMap((market) => [...market.needs, ...Object.values(market.needs_by_language).flat()]);
const [little, short] = [read('says-little'), read('short-ideas')];

/** Typed in haste: two letters swapped or one left out in every third longer word. */
const misspelt = (text: string): string =>
  text
    .split(' ')
    .map((word, at) => {
      if (word.length < 5 || at % 3 === 1) return word;
      const place = 1 + ((word.length * 7 + at) % (word.length - 3));
      return at % 2 === 0
        ? `${word.slice(0, place)}${word.charAt(place + 1)}${word.charAt(place)}${word.slice(place + 2)}`
        : `${word.slice(0, place)}${word.slice(place + 1)}`;
    })
    .join(' ');

const examples: Examples[] = [
  {
    kind: 'says nothing',
    texts: [...read('says-nothing'), ...ideas.filter(({ contentless }) => contentless).flatMap(({ idea, paraphrase }) => [idea, paraphrase])],
    says: 1,
    weight: 6,
  },
  { kind: 'no idea', texts: read('no-idea'), says: 1, weight: 10 },
  { kind: 'short idea', texts: short, says: 0, weight: 8 },
  { kind: 'misspelt idea', texts: [...short, ...little].map(misspelt), says: 0, weight: 4 },
  { kind: 'says little', texts: little, says: 0, weight: 6 },
  { kind: 'idea', texts: real, says: 0, weight: 8 },
  {
    kind: 'sentence',
    texts: sampled(
      real.flatMap((text) => text.split(/(?<=[.!?])\s+/)).filter((text) => text.length > 30),
      SENTENCES,
    ),
    says: 0,
    weight: 0.1,
  },
  { kind: 'need', texts: sampled(needs, NEEDS), says: 0, weight: 0.5 },
  {
    kind: 'market',
    texts: sampled(
      markets.flatMap(({ name, aliases }) => [name, ...aliases]),
      NAMES,
    ),
    says: 0,
    weight: 0.5,
  },
];

type Row = { kind: string; text: string; signs: Map<string, number>; says: 0 | 1; weight: number; fold: number };
const rows = examples.flatMap(({ kind, texts, says, weight }) =>
  texts.map((text, at): Row => ({ kind, text, signs: signsOf(text), says, weight, fold: at % FOLDS })),
);

function learnFrom(given: readonly Row[]): { logistic: Logistic; columns: Map<string, number> } {
  const mentions = new Map<string, number>();
  for (const { signs } of given) for (const [sign, value] of signs) if (value !== 0) mentions.set(sign, (mentions.get(sign) ?? 0) + 1);
  const columns = new Map([...mentions].filter(([, times]) => times >= FEWEST_MENTIONS).map(([sign], at) => [sign, at]));
  const data = given.map((row) => ({ ...columnsOf(row, columns), says: row.says, weight: row.weight }));
  return { logistic: learnLogistic(data, columns.size, PENALTY, ROUNDS), columns };
}

function columnsOf({ signs }: Pick<Row, 'signs'>, columns: ReadonlyMap<string, number>) {
  const own = [...signs].filter(([sign]) => columns.has(sign));
  return { columns: Int32Array.from(own, ([sign]) => columns.get(sign) ?? 0), values: Float64Array.from(own, ([, value]) => value) };
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const judged = Array.from({ length: FOLDS }, (_, fold) => {
  const { logistic, columns } = learnFrom(rows.filter((row) => row.fold !== fold));
  return rows.filter((row) => row.fold === fold).map((row) => ({ row, chance: chanceOf(columnsOf(row, columns), logistic) }));
}).flat();
const ideaChances = judged
  .filter(({ row }) => row.kind === 'idea')
  .map(({ chance }) => chance)
  .sort((left, right) => right - left);
/** A text whose chance lies above is refused. */
const limit = ideaChances[Math.floor(ideaChances.length * MAY_REFUSE)] ?? 0.5;
print(`refused above ${limit.toFixed(3)}`);
for (const { kind } of examples) {
  const own = judged.filter(({ row }) => row.kind === kind);
  const wrong = own.filter(({ row, chance }) => (chance > limit ? 1 : 0) !== row.says);
  const share = (part: readonly unknown[]): string => `${((100 * part.length) / own.length).toFixed(1)} %`;
  print(
    `${kind}: ${wrong.length} of ${own.length} judged wrongly, ${share(wrong)}; refused above 0.5: ${share(own.filter(({ chance }) => chance > 0.5))}`,
  );
  if (process.argv.includes('--verbose'))
    for (const { row, chance } of wrong.slice(0, 40)) print(`    ${chance.toFixed(2)} ${row.text.slice(0, 120)}`);
}

const { logistic, columns } = learnFrom(rows);
if (process.argv.includes('--judge')) {
  const refused = (texts: readonly string[]): string[] =>
    texts.filter((text) => chanceOf(columnsOf({ signs: signsOf(text) }, columns), logistic) > limit);
  const unseen = JSON.parse(readFileSync(new URL('./substance/unseen.json', import.meta.url), 'utf8')) as Record<'nothing' | 'little', string[]>;
  const heldOut = all
    .filter(({ half, contentless }) => half === 'held_out' && !contentless)
    .flatMap(({ idea, paraphrase }) => [idea, paraphrase].filter(Boolean));
  print(
    `unseen that say nothing: ${refused(unseen.nothing).length} of ${unseen.nothing.length} refused; that say little: ${refused(unseen.little).length} of ${unseen.little.length}`,
  );
  print(`held out ideas refused: ${refused(heldOut).length} of ${heldOut.length}`);
}
const round = (value: number): number => Math.round(value * 100) / 100;
const signs = Object.fromEntries(
  [...columns]
    .map(([sign, at]) => [sign, round(logistic.weights[at] ?? 0)] as const)
    .filter(([, weight]) => Math.abs(weight) >= TELLS)
    .sort(([left], [right]) => (left < right ? -1 : 1)),
);
writeFileSync(
  new URL('../../src/features/research/rule-analyst/substance-signs.json', import.meta.url),
  `${JSON.stringify({ bias: round(logistic.bias - Math.log(limit / (1 - limit))), signs }, null, 1)}\n`,
);
print(`${rows.length} examples, ${Object.keys(signs).length} signs`);
