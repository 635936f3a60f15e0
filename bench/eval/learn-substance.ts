// Learns which words say nothing of a product: writes src/features/research/rule-analyst/substance-words.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { openCatalogue } from '../../src/features/catalogue/index.ts';
import { signsOf } from '../../src/features/research/rule-analyst/learnt-substance.ts';
import { readIdeas } from './ideas.ts';
import { learnLogistic } from './logistic.ts';

/** Examples of a kind, and what each of them counts. */
type Examples = { texts: readonly string[]; says: 0 | 1; weight: number };

const FEWEST_MENTIONS = 4;
const PENALTY = 0.1;
/** Weights smaller than this are left out. */
const TELLS = 0.05;
const NEEDS = 12_000;

const read = (name: string): string[] => JSON.parse(readFileSync(new URL(`./substance/${name}.json`, import.meta.url), 'utf8')) as string[];
const ideas = readIdeas(new URL('./ideas/', import.meta.url)).filter(({ half }) => half === 'tuning');
const real = ideas.filter(({ contentless }) => !contentless).flatMap(({ idea, paraphrase }) => [idea, paraphrase].filter(Boolean));
const markets = Array.from(openCatalogue().categories);
const needs = markets.flatMap((market) => [...market.needs, ...Object.values(market.needs_by_language).flat()]);
const every = Math.ceil(needs.length / NEEDS);

const examples: Examples[] = [
  {
    texts: [...read('says-nothing'), ...ideas.filter(({ contentless }) => contentless).flatMap(({ idea, paraphrase }) => [idea, paraphrase])],
    says: 1,
    weight: 6,
  },
  { texts: read('says-little'), says: 0, weight: 3 },
  { texts: real, says: 0, weight: 2 },
  { texts: real.flatMap((text) => text.split(/(?<=[.!?])\s+/)).filter((text) => text.length > 30), says: 0, weight: 0.5 },
  { texts: needs.filter((_, at) => at % every === 0), says: 0, weight: 0.5 },
  { texts: markets.flatMap(({ name, aliases }) => [name, ...aliases]), says: 0, weight: 0.5 },
];

const rows = examples.flatMap(({ texts, says, weight }) => texts.map((text) => ({ signs: signsOf(text), says, weight })));
const mentions = new Map<string, number>();
for (const { signs } of rows) for (const sign of signs) mentions.set(sign, (mentions.get(sign) ?? 0) + 1);
const columns = new Map([...mentions].filter(([, times]) => times >= FEWEST_MENTIONS).map(([sign], at) => [sign, at]));
const data = rows.map(({ signs, says, weight }) => {
  const own = Int32Array.from([...signs].flatMap((sign) => columns.get(sign) ?? []));
  return { columns: own, values: new Float64Array(own.length).fill(1 / Math.sqrt(Math.max(1, signs.size))), says, weight };
});

const { bias, weights } = learnLogistic(data, columns.size, PENALTY);
const round = (value: number): number => Math.round(value * 100) / 100;
const words = Object.fromEntries(
  [...columns]
    .map(([sign, at]) => [sign, round(weights[at] ?? 0)] as const)
    .filter(([, weight]) => Math.abs(weight) >= TELLS)
    .sort(([left], [right]) => (left < right ? -1 : 1)),
);
writeFileSync(
  new URL('../../src/features/research/rule-analyst/substance-words.json', import.meta.url),
  `${JSON.stringify({ bias: round(bias), words }, null, 2)}\n`,
);
process.stdout.write(`${rows.length} examples, ${Object.keys(words).length} words\n`);
