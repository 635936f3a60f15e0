// Build graphs with a model: what is ours when it answers at once, and what is lost where calls have to wait for each other.
import { followNdjson } from '#testing/read-ndjson.ts';
import { call, newCallers, type Client } from '../parts/client.ts';
import { median, milliseconds, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { depthOf, nodesOf, startGraphModel, type Shape } from '../parts/graph-model.ts';
import { ideaOf } from '../parts/ideas.ts';
import { scratchFolder } from '../parts/scratch-folder.ts';
import { freePort, startProcess } from '../parts/started-process.ts';

const SMALL: Shape = [6, 4];
const LARGE: Shape = [3, 16];
const CALL_MS = 300;

await using kept = new AsyncDisposableStack();
for (const place of await places(kept)) {
  await measure(place, { shape: SMALL, callMs: 0, runs: 9 });
  await measure(place, { shape: LARGE, callMs: 0, runs: 2 });
  await measure(place, { shape: SMALL, callMs: CALL_MS, runs: 3 });
}

async function measure(place: Place, { shape, callMs, runs }: { shape: Shape; callMs: number; runs: number }): Promise<void> {
  await using model = await startGraphModel(shape, callMs);
  using folder = scratchFolder();
  const env = { ...place.env, LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted' };
  await using service = await startProcess({ dataDir: folder.path, port: await freePort(), env });
  const [first, ...callers] = await newCallers(service.url, runs + 1);
  if (first) await graph(first, 0, shape);
  const [callsBefore, cpuBefore] = [model.count(), await service.cpu()];
  const times: number[] = [];
  for (const [n, caller] of callers.entries()) times.push(await graph(caller, n + 1, shape));
  const cpu = ((await service.cpu()) - cpuBefore) / runs;
  const calls = (model.count() - callsBefore) / runs;
  const ideal = depthOf(shape) * callMs;
  const nodes = nodesOf(shape);
  report({
    measure: `a graph of ${nodes} nodes on ${place.name}, ${calls} model calls ${callMs > 0 ? `of ${callMs} ms` : 'that answer at once'}`,
    value: `${milliseconds(median(times))}, ${Math.round((nodes / median(times)) * 1000)} nodes/s, ${milliseconds(cpu)} of processor`,
    ...(ideal > 0
      ? { compared: `${depthOf(shape)} calls that wait for each other ${ideal} ms`, ratio: (median(times) / ideal).toFixed(3) }
      : { compared: `${milliseconds(median(times) / calls)} a call` }),
  });
}

/** Milliseconds from the request to `done`. @throws Error when the graph is not the one that was planned */
async function graph(client: Client, number: number, shape: Shape): Promise<number> {
  const started = performance.now();
  const body = { idea: ideaOf(number), features: [{ id: 'lists', label: 'Shared lists', source: 'manual' }] };
  const created = await call(client, 'POST', '/build-graphs', { body });
  if (created.status !== 201) throw new Error(`POST /build-graphs answered ${created.status}: ${JSON.stringify(created.body)}`);
  let nodes = 0;
  let last = '';
  for await (const { event, data } of followNdjson(`${client.url}/build-graphs/${String(created.body['graph_id'])}/events`, client.token)) {
    if (event === 'error') throw new Error(`the graph failed: ${JSON.stringify(data)}`);
    if (event === 'node_created') nodes += 1;
    last = event;
  }
  const took = performance.now() - started;
  if (last !== 'done' || nodes !== nodesOf(shape)) throw new Error(`the graph ended with ${last} and ${nodes} of ${nodesOf(shape)} nodes`);
  return took;
}
