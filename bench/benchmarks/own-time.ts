// Our own time per research: model and search answer at once, so what remains is ours, HTTP and JSON.
import { newCallers, research } from '../parts/client.ts';
import { median, milliseconds, ratioOf, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { ideaOf } from '../parts/ideas.ts';
import { startOutside, type Outside } from '../parts/outside.ts';
import { scratchFolder } from '../parts/scratch-folder.ts';
import { freePort, startProcess } from '../parts/started-process.ts';

const WARM_UP = 12;
const RUNS = 25;

await using kept = new AsyncDisposableStack();
for (const place of await places(kept)) await measure(place, false);
await measure({ name: 'PGlite', env: {} }, true);

async function measure(place: Place, pages: boolean): Promise<void> {
  await using outside = await startOutside({ modelMs: 0, searchMs: 0, pages });
  using folder = scratchFolder();
  await using service = await startProcess({ dataDir: folder.path, port: await freePort(), env: { ...place.env, ...outside.env } });
  const callers = await newCallers(service.url, WARM_UP + RUNS);
  for (const [n, caller] of callers.slice(0, WARM_UP).entries()) await research(caller, ideaOf(n));
  const [seenBefore, cpuBefore] = [await outside.seen(), await service.cpu()];
  const times: number[] = [];
  for (const [n, caller] of callers.slice(WARM_UP).entries()) times.push(await research(caller, ideaOf(WARM_UP + n)));
  const cpu = ((await service.cpu()) - cpuBefore) / RUNS;
  const seen = await outside.seen();
  const each = (after: number, before: number): string => String((after - before) / RUNS);
  const asked = [
    `${each(seen.models, seenBefore.models)} model calls`,
    `${each(seen.searches, seenBefore.searches)} searches`,
    ...(pages ? [`${each(seen.pages, seenBefore.pages)} page requests`] : []),
  ].join(', ');
  const bare = await bareRequests(outside, seen.latest);
  report({
    measure: `one research on ${place.name}, nothing to wait for: ${asked}`,
    value: `${milliseconds(median(times))} from request to done, ${milliseconds(cpu)} of processor`,
    compared: `the same model calls and searches bare ${milliseconds(bare)}`,
    ratio: ratioOf(median(times), bare),
  });
}

/** Milliseconds that one research's requests take when a loop sends them and does nothing else. */
async function bareRequests({ model, engine }: Outside, bodies: readonly unknown[]): Promise<number> {
  const post = async (body: unknown): Promise<unknown> =>
    (
      await fetch(`${model}/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    ).json();
  const search = async (query: string): Promise<unknown> => (await fetch(`${engine}/search?format=json&q=${query}`)).json();
  const times: number[] = [];
  for (let round = 0; round < RUNS; round += 1) {
    const started = performance.now();
    await Promise.all([search('one'), search('two')]);
    for (const body of bodies) await post(body);
    times.push(performance.now() - started);
  }
  return median(times);
}
