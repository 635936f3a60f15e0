// One research where the outside is slow: everything above its critical path is time that we lose.
import { newCallers, research } from '../parts/client.ts';
import { median, milliseconds, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { ideaOf } from '../parts/ideas.ts';
import { startOutside } from '../parts/outside.ts';
import { scratchFolder } from '../parts/scratch-folder.ts';
import { freePort, startProcess } from '../parts/started-process.ts';

const LATENCY = { modelMs: 1000, searchMs: 300 };
// Five calls one after the other; the two searches run side by side.
const CRITICAL_PATH_MS = 5 * LATENCY.modelMs + LATENCY.searchMs;
const RUNS = 2;

await using kept = new AsyncDisposableStack();
for (const place of await places(kept)) await measure(place);

async function measure(place: Place): Promise<void> {
  await using outside = await startOutside({ ...LATENCY, pages: true });
  using folder = scratchFolder();
  await using service = await startProcess({ dataDir: folder.path, port: await freePort(), env: { ...place.env, ...outside.env } });
  const callers = await newCallers(service.url, RUNS + 1);
  const times: number[] = [];
  for (const [n, caller] of callers.entries()) times.push(await research(caller, ideaOf(n)));
  const [cold = Number.NaN, ...warm] = times;
  report({
    measure: `one research on ${place.name}, ${LATENCY.modelMs / 1000} s a call, ${LATENCY.searchMs / 1000} s a search, five pages read`,
    value: `${milliseconds(median(warm))}; the first after the start ${milliseconds(cold)}`,
    compared: `critical path ${CRITICAL_PATH_MS} ms`,
    ratio: `${(median(warm) / CRITICAL_PATH_MS).toFixed(3)}; first ${(cold / CRITICAL_PATH_MS).toFixed(3)} (aim 1.05 or less)`,
  });
}
