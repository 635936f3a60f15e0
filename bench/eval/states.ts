// How fresh texts end without a model: what is refused, how sure the market is, and whether everything said rests on the text.
// node bench/eval/states.ts <folder with non-ideas.json, short-ideas.json and ideas.json> [--names]
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCatalogue } from '../../src/features/catalogue/index.ts';
import { certaintyIn, ContentlessIdea, type Interpretation } from '../../src/features/research/analyst.ts';
import { describeReading } from '../../src/features/research/interpretation/describe-reading.ts';
import type { IdeaInterpretation, Statement } from '../../src/features/research/interpretation/schema.ts';
import { wantedOnly } from '../../src/features/research/interpretation/wanted-only.ts';
import { interpretIdea } from '../../src/features/research/rule-analyst/interpret.ts';

type Quote = string | { quote: string };
type Fresh = { id?: string; text: string; lang?: string; form?: string; market: string; asked_for?: Quote[] };
type Understood = { reading: Interpretation; described: IdeaInterpretation } | null;

const [folder = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const showsNames = process.argv.includes('--names');
const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const line = (label: string, value: string): boolean => print(`  ${label.padEnd(52)}${value}`);
const percent = (part: number, whole: number): string => `${part} of ${whole} (${whole > 0 ? ((100 * part) / whole).toFixed(1) : '–'} %)`;

async function understand(text: string): Promise<Understood> {
  try {
    const own = await interpretIdea(text);
    const reading = wantedOnly(text, own);
    return { reading, described: describeReading(text, reading, own, 'rules') };
  } catch (error) {
    if (error instanceof ContentlessIdea) return null;
    throw error;
  }
}

const read = <T>(name: string): T[] => (existsSync(join(folder, name)) ? (JSON.parse(readFileSync(join(folder, name), 'utf8')) as T[]) : []);

async function printRefused(name: string, label: string, isWrong: (refused: boolean) => boolean): Promise<void> {
  const texts = read<string>(name);
  const outcomes = await Promise.all(texts.map(async (text) => ({ text, refused: (await understand(text)) === null })));
  line(label, percent(outcomes.filter(({ refused }) => refused).length, texts.length));
  if (showsNames) for (const { text } of outcomes.filter(({ refused }) => isWrong(refused))) print(`      ${text.slice(0, 110)}`);
}

function statementsOf({ described }: NonNullable<Understood>): Statement[] {
  const { user, pain, core_action: action, place, price, asked_for: asked, not_asked_for: unasked } = described;
  return [user, pain, action, place, price, ...asked, ...unasked].filter((statement) => statement !== undefined);
}

const overlaps = (left: string, right: string): boolean => {
  const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const [own, other] = [words(left), words(right)];
  const shared = [...own].filter((word) => other.has(word)).length;
  return shared >= 0.5 * Math.min(own.size, other.size) && shared > 0;
};

async function printIdeas(): Promise<void> {
  const ideas = read<Fresh>('ideas.json');
  const outcomes = await Promise.all(ideas.map(async (idea) => ({ idea, understood: await understand(idea.text) })));
  const answered = outcomes.flatMap(({ idea, understood }) => (understood ? [{ idea, understood }] : []));
  line('ideas refused', percent(outcomes.length - answered.length, outcomes.length));
  for (const state of ['sure', 'unsure', 'unknown'] as const)
    line(state, percent(answered.filter(({ understood }) => certaintyIn(understood.reading) === state).length, ideas.length));
  const statements = answered.flatMap(({ understood }) => statementsOf(understood));
  line('statements without a span', percent(statements.filter(({ span }) => span === null).length, statements.length));
  const wishes = answered.flatMap(({ idea, understood }) => understood.described.asked_for.map((wish) => ({ idea, wish })));
  const marked = ({ asked_for: asked = [] }: Fresh): string[] => asked.map((quote) => (typeof quote === 'string' ? quote : quote.quote));
  const isMarked = ({ idea, wish }: (typeof wishes)[number]): boolean => marked(idea).some((quote) => overlaps(quote, wish.text));
  line('asked for with a span', percent(wishes.filter(({ wish }) => wish.span !== null).length, wishes.length));
  line('asked for that overlaps with a marked quote', percent(wishes.filter(isMarked).length, wishes.length));
  if (!showsNames) return;
  print('  chosen markets beside the one that is described:');
  for (const { idea, understood } of answered) {
    const { reading } = understood;
    const names = (reading.categoryIds.length > 0 ? reading.categoryIds : (reading.candidates ?? []).map(({ id }) => id)).map(
      (id) => openCatalogue().category(id)?.name ?? id,
    );
    print(`    ${certaintyIn(reading).padEnd(8)}${reading.confidence.toFixed(2)} ${idea.id ?? ''} ${idea.market} => ${names.join(' | ')}`);
  }
}

await printRefused('non-ideas.json', 'refused of texts that are no ideas', (refused) => !refused);
await printRefused('short-ideas.json', 'refused of short and misspelt ideas', (refused) => refused);
await printIdeas();
