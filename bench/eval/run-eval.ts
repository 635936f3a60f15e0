import { readFileSync } from 'node:fs';
import type { Analyst, Interpretation } from '../../src/features/research/analyst.ts';
import { marketsNear, openCatalogue } from '../../src/features/catalogue/index.ts';
import { builtInEmbeddings, type BuiltInOptions } from '../../src/platform/llm/built-in-embeddings.ts';
import { readIdeas, type EvaluationIdea, type Half } from './ideas.ts';
import {
  essentialInFive,
  findsItsOwn,
  mean,
  median,
  neighbours,
  recallAtTen,
  reportOf,
  scoreMove,
  sharedSentences,
  wrongNames,
  wrongShare,
  type Run,
} from './measures.ts';
import { sameProduct } from './names.ts';
import { evaluatedAnalyst } from './evaluated-analyst.ts';
import { researchWith } from './research-in-process.ts';

const STEADY = 5;
const folder = new URL('./ideas/', import.meta.url);
const wanted = process.argv.includes('--tuning') ? ['tuning'] : ['tuning', 'held_out'];
const isVerbose = process.argv.includes('--verbose');
const research = researchWith(openAnalyst());

function openAnalyst(): Analyst {
  try {
    return evaluatedAnalyst(process.argv.includes('--llm'), process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

const percent = (share: number): string => (Number.isNaN(share) ? 'none' : `${(share * 100).toFixed(1)} %`);
const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const line = (label: string, value: string): boolean => print(`  ${label.padEnd(44)}${value}`);

async function runAll(ideas: readonly EvaluationIdea[]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const idea of ideas) {
    const outcome = await research(idea.idea, idea.id);
    runs.push({ idea, outcome, paraphrase: idea.paraphrase ? await research(idea.paraphrase, idea.id) : null });
  }
  return runs;
}

async function retrieval(ideas: readonly EvaluationIdea[], options: BuiltInOptions): Promise<string> {
  const embeddings = builtInEmbeddings(options);
  const texts = await embeddings.embed(ideas.map(({ idea }) => idea));
  const started = performance.now();
  const paraphrases = await embeddings.embed(ideas.map(({ paraphrase }) => paraphrase));
  const each = (performance.now() - started) / ideas.length;
  const found = findsItsOwn(texts, paraphrases);
  if (isVerbose) for (const [place, hit] of found.entries()) if (!hit) print(`    not found again: ${ideas[place]?.id}`);
  return `${percent(mean(found.map(Number)))} (${each.toFixed(2)} ms a text)`;
}

const products = Array.from(openCatalogue().categories, ({ companies }) => companies.map(({ name }) => name)).flat();
const inCatalogue = (name: string): boolean => products.some((product) => sameProduct(product, name));

function printScores(runs: readonly Run[]): void {
  const scored = runs.flatMap(({ outcome }) => reportOf(outcome)?.synthesis.recommendation ?? []);
  const scores = scored.flatMap(({ score }) => score ?? []).sort((left, right) => left - right);
  line('scored', `${scores.length} of ${scored.length}`);
  const at = (share: number): number => scores[Math.min(scores.length - 1, Math.floor(share * scores.length))] ?? Number.NaN;
  line('score min, 10 %, median, 90 %, max', [scores[0] ?? Number.NaN, at(0.1), at(0.5), at(0.9), scores.at(-1) ?? Number.NaN].join(', '));
  const verdicts = Map.groupBy(scored, ({ verdict }) => verdict);
  line('verdicts', [...verdicts].map(([verdict, of]) => `${verdict} ${of.length}`).join(', '));
  const moves = runs.flatMap((run) => scoreMove(run) ?? []);
  line(
    `score moves at most ${STEADY} when reworded`,
    `${percent(mean(moves.map((move) => Number(move <= STEADY))))} of ${moves.length}, largest ${Math.max(...moves)}`,
  );
  const spread = mean(scores.map((score) => Math.abs(score - mean(scores))));
  line('mean distance from the mean score', spread.toFixed(1));
}

/** Texts of a hand from which nothing was learnt: those that say nothing, and those that say little but something. */
async function printUnseen(): Promise<void> {
  const unseen = JSON.parse(readFileSync(new URL('./substance/unseen.json', import.meta.url), 'utf8')) as Record<'nothing' | 'little', string[]>;
  for (const kind of ['nothing', 'little'] as const) {
    const outcomes = await Promise.all(unseen[kind].map((text) => research(text)));
    const refused = outcomes.filter((outcome) => outcome.kind === 'contentless').length;
    line(`refused of an unseen hand's texts that say ${kind}`, `${refused} of ${outcomes.length}`);
  }
}

async function printHalf(half: Half, all: readonly EvaluationIdea[]): Promise<void> {
  const ideas = all.filter((idea) => idea.half === half);
  const real = ideas.filter((idea) => !idea.contentless);
  const empty = ideas.filter((idea) => idea.contentless);
  await research(real[0]?.idea ?? 'a shared shopping list for flatmates');
  const runs = await runAll(real);
  const reports = runs.flatMap(({ outcome }) => reportOf(outcome) ?? []);
  print(`${half}: ${ideas.length} ideas`);
  line('recall@10 of must names', percent(mean(runs.map((run) => recallAtTen(run)))));
  line('recall@10 of the essential ones', percent(mean(runs.map((run) => recallAtTen(run, 'essential')).filter((share) => !Number.isNaN(share)))));
  for (const [hand, ofOne] of Map.groupBy(runs, ({ idea }) => idea.hand)) {
    const recall = percent(mean(ofOne.map((run) => recallAtTen(run))));
    const essential = percent(mean(ofOne.map((run) => recallAtTen(run, 'essential'))));
    const five = percent(mean(ofOne.map((run) => Number(essentialInFive(run)))));
    line(`  of the ${ofOne.length} ${hand} ideas`, `recall ${recall}, essential ${essential}, five ${five}`);
  }
  line('an essential name in the first five', percent(mean(runs.map((run) => Number(essentialInFive(run))))));
  const wrong = runs.map((run) => ({ id: run.idea.id, names: wrongNames(run) })).filter(({ names }) => names.length > 0);
  line(
    'reports with a wrong-market name',
    `${percent(wrong.length / runs.length)} ${wrong.map(({ id, names }) => `${id}: ${names.join(', ')}`).join('; ')}`,
  );
  const either = runs.filter((run) => wrongNames(run).length + neighbours(run).length > 0);
  line('with one of these or of the neighbours', percent(either.length / runs.length));
  line('of the names marked as wrong, shown', percent(wrongShare(runs)));
  const refused = await Promise.all(empty.map(({ idea }) => research(idea)));
  line('contentless refused', `${refused.filter(({ kind }) => kind === 'contentless').length} of ${empty.length}`);
  if (half === 'held_out') await printUnseen();
  line(
    'real ideas refused or unanswered',
    runs
      .filter(({ outcome }) => outcome.kind !== 'report')
      .map(({ idea, outcome }) => `${idea.id} ${outcome.kind}`)
      .join(', ') || 'none',
  );
  const isSure = ({ outcome }: Run): boolean => reportOf(outcome)?.about.certainty === 'sure';
  const isRight = ({ idea, outcome }: Run): boolean => idea.categories.includes(reportOf(outcome)?.about.categoryIds[0] ?? '');
  const sure = runs.filter(isSure);
  for (const state of ['sure', 'unsure', 'unknown'] as const)
    line(state, percent(mean(runs.map(({ outcome }) => Number(reportOf(outcome)?.about.certainty === state)))));
  line('recall@10 of must names where it is sure', percent(mean(sure.map((run) => recallAtTen(run)))));
  line('the essential ones', percent(mean(sure.map((run) => recallAtTen(run, 'essential')).filter((share) => !Number.isNaN(share)))));
  const judged = runs.filter(({ idea }) => idea.categories.length > 0);
  const misled = judged.filter((run) => isSure(run) && !isRight(run));
  line('sure of a wrong market', `${percent(misled.length / judged.length)} of ${judged.length} ${misled.map(({ idea }) => idea.id).join(', ')}`);
  const settled = runs.filter(({ idea }) => idea.categories.length > 0);
  line(
    'first category acceptable',
    `${percent(mean(settled.map(({ idea, outcome }) => Number(idea.categories.includes(firstOf(reportOf(outcome)?.about))))))} of ${settled.length}`,
  );
  const reworded = real.filter(({ paraphrase }) => paraphrase !== '');
  line('paraphrase finds its idea, words alone', await retrieval(reworded, {}));
  for (const [hand, ofOne] of Map.groupBy(reworded, (idea) => idea.hand))
    line(`with the catalogue, among the ${ofOne.length} ${hand} ideas`, await retrieval(ofOne, { topicsOf: marketsNear }));
  line('with the catalogue, among all', await retrieval(reworded, { topicsOf: marketsNear }));
  printScores(runs);
  const shared = sharedSentences(reports);
  line('identical sentences, different markets', `mean ${percent(shared.mean)}, max ${percent(shared.max)} ${shared.worst.slice(0, 2).join(' | ')}`);
  line('statements the evidence lock dropped', String(reports.reduce((sum, { dropped }) => sum + dropped, 0)));
  line('median time per research', `${median(reports.map(({ ms }) => ms)).toFixed(1)} ms`);
  const missing = real.flatMap(({ must }) => must.map(({ name }) => name)).filter((name) => !inCatalogue(name));
  line('must names missing from the catalogue', [...new Set(missing)].join(', ') || 'none');
  if (isVerbose) for (const run of runs) printRun(run);
}

const firstOf = (about: Interpretation | undefined): string => about?.categoryIds[0] ?? about?.candidates?.[0]?.id ?? '';

function printRun(run: Run): void {
  const [report, other] = [reportOf(run.outcome), reportOf(run.paraphrase)];
  const score = (of: typeof report): string => `${of?.synthesis.recommendation.score ?? '-'} ${of?.about.categoryIds.join('+') ?? ''}`;
  print(
    `    ${run.idea.id} recall ${percent(recallAtTen(run))} five ${essentialInFive(run)} | ${score(report)} | ${score(other)} | ${run.idea.category_hint} | ${report?.about.shortTitle ?? run.outcome.kind}`,
  );
}

const ideas = readIdeas(folder);
for (const half of ['tuning', 'held_out'] as const) if (wanted.includes(half)) await printHalf(half, ideas);
