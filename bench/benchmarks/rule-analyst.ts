// Researches by the rules, without any network: through the whole service, against the analyst alone.
import { newId } from '#lib/ids.ts';
import { onBehalfOf } from '#platform/principal.ts';
import { startResearch } from '../../src/features/research/start-research.ts';
import { ruleAnalyst } from '../../src/features/research/rule-analyst/rule-analyst.ts';
import { researchWith } from '../eval/research-in-process.ts';
import { megabytes, ratioOf, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { ideaOf } from '../parts/ideas.ts';
import { startInProcess, type InProcess } from '../parts/in-process.ts';

const research = researchWith(ruleAnalyst());

const RUNS = 200;
const WARM_UP = 50;
const LOOK_EVERY_MS = 10;

await using kept = new AsyncDisposableStack();
const alone = await analystAlone();
for (const place of await places(kept)) await measure(place);

async function measure(place: Place): Promise<void> {
  await using service = await startInProcess(place.env);
  await runAll(service, WARM_UP);
  const seconds = await runAll(service, RUNS);
  report({
    measure: `researches by the rules on ${place.name}, ${RUNS} at once, no network`,
    value: `${Math.round(RUNS / seconds)}/s, ${((seconds / RUNS) * 1000).toFixed(1)} ms each, memory ${megabytes(process.memoryUsage().rss)}`,
    compared: `the analyst alone ${Math.round(alone)}/s`,
    ratio: ratioOf(RUNS / seconds, alone),
  });
}

/** Seconds until all are completed. */
async function runAll({ ctx, database }: InProcess, count: number): Promise<number> {
  const started = performance.now();
  const run = newId();
  await Promise.all(
    Array.from({ length: count }, (_, n) => startResearch(ctx, onBehalfOf(`${run}-${n}`), { idea: ideaOf(n), projectId: null, mode: 'market' })),
  );
  for (;;) {
    const { rows } = await database.query(
      `select count(*) filter (where status in ('completed', 'failed'))::int as ended, count(*) filter (where status = 'failed')::int as failed
         from research_jobs where user_id like $1`,
      [`${run}-%`],
    );
    const [{ ended, failed } = { ended: 0, failed: 0 }] = rows as { ended: number; failed: number }[];
    if (failed > 0) throw new Error(`${failed} of ${count} researches failed`);
    if (ended === count) return (performance.now() - started) / 1000;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Researches per second without database, queue and stream: from the text to the synthesis. */
async function analystAlone(): Promise<number> {
  for (let n = 0; n < WARM_UP; n += 1) await research(ideaOf(n));
  let ms = 0;
  for (let n = 0; n < RUNS; n += 1) {
    const outcome = await research(ideaOf(n));
    if (outcome.kind === 'report') ms += outcome.report.ms;
  }
  return RUNS / (ms / 1000);
}
