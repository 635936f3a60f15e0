// A hundred researches that begin together, against the time that one cannot go below.
import { newCallers, research } from '../parts/client.ts';
import { megabytes, milliseconds, percentile, ratioOf, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { ideaOf } from '../parts/ideas.ts';
import { startOutside } from '../parts/outside.ts';
import { scratchFolder } from '../parts/scratch-folder.ts';
import { freePort, startProcess } from '../parts/started-process.ts';

const AT_ONCE = 100;
const LATENCY = { modelMs: 100, searchMs: 50 };
const CRITICAL_PATH_MS = 5 * LATENCY.modelMs + LATENCY.searchMs;

await using kept = new AsyncDisposableStack();
for (const place of await places(kept)) await measure(place);

async function measure(place: Place): Promise<void> {
  await using outside = await startOutside(LATENCY);
  using folder = scratchFolder();
  await using service = await startProcess({ dataDir: folder.path, port: await freePort(), env: { ...place.env, ...outside.env } });
  const callers = await newCallers(service.url, 2 * AT_ONCE);
  for (const warm of [true, false]) {
    const batch = warm ? callers.slice(0, AT_ONCE) : callers.slice(AT_ONCE);
    const [cpuBefore, memoryBefore] = [await service.cpu(), service.memory().now];
    const started = performance.now();
    const times = await Promise.all(batch.map((caller, n) => research(caller, ideaOf(warm ? n : AT_ONCE + n))));
    const seconds = (performance.now() - started) / 1000;
    const cpu = ((await service.cpu()) - cpuBefore) / AT_ONCE;
    const memory = service.memory();
    const p50 = percentile(times, 0.5);
    report({
      measure: `${AT_ONCE} researches at once on ${place.name}, ${warm ? 'just started' : 'warm'}, ${LATENCY.modelMs} ms a call, ${LATENCY.searchMs} ms a search`,
      value: `${(AT_ONCE / seconds).toFixed(1)}/s, p50 ${milliseconds(p50)}, p95 ${milliseconds(percentile(times, 0.95))}, ${milliseconds(cpu)} of processor each, memory ${megabytes(memoryBefore)} before, ${megabytes(memory.most)} at the most`,
      compared: `critical path ${CRITICAL_PATH_MS} ms`,
      ratio: ratioOf(p50, CRITICAL_PATH_MS),
    });
  }
}
