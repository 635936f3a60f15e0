// A plan of 500 nodes as PDF: the time from the document to its bytes, in the thread that sets documents.
import { openPrinter } from '../../src/platform/rendering/pdf/open-printer.ts';
import { median, milliseconds, report } from '../parts/figures.ts';
import { samplePlan } from '../parts/sample-plan.ts';

const NODES = 500;
const RUNS = 7;

const printer = openPrinter({ threads: 1 });
const document = samplePlan(NODES);
const times: number[] = [];
let bytes = 0;
for (let run = 0; run <= RUNS; run += 1) {
  const started = performance.now();
  bytes = (await printer.pdf(document)).length;
  times.push(performance.now() - started);
}
await printer.close();
const [first = Number.NaN, ...warm] = times;
report({
  measure: `a plan of ${NODES} nodes as PDF of ${Math.round(bytes / 1000)} kB`,
  value: `${milliseconds(median(warm))}; the first after the start ${milliseconds(first)}`,
  compared: `${(median(warm) / NODES).toFixed(2)} ms a node`,
});
