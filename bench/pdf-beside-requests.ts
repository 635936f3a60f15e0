// How long other requests wait while a plan of 500 nodes is set as PDF: `node bench/pdf-beside-requests.ts [nodes] [documents]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startService } from '../src/app/service.ts';
import { loadConfig } from '../src/platform/config/config.ts';
import { openLog } from '../src/platform/observability/log.ts';
import { samplePlan } from './parts/sample-plan.ts';

const [nodes = 500, documents = 4] = process.argv.slice(2).map(Number);
const dataDir = mkdtempSync(join(tmpdir(), 'pdf-bench-'));
const service = await startService(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0' }), openLog('silent'));
const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
const { printer } = service.ctx;
const document = samplePlan(nodes);

await timeRequests(50);
report('requests alone', await timeRequests(200));
await printer.pdf(document);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const began = performance.now();
let isDone = false;
const printed = Promise.all(Array.from({ length: documents }, () => printer.pdf(document))).then((files) => {
  isDone = true;
  return { seconds: (performance.now() - began) / 1000, bytes: files[0]?.length ?? 0 };
});
report(`requests beside ${documents} PDFs of ${nodes} nodes`, await timeRequests(Number.POSITIVE_INFINITY, () => isDone));
delay.disable();
const { seconds, bytes } = await printed;
process.stdout.write(
  `${(seconds / documents).toFixed(2)} s a document of ${Math.round(bytes / 1000)} kB; longest delay of the request thread ${Math.round(delay.max / 1e6)} ms\n`,
);
await service.stop(0);
rmSync(dataDir, { recursive: true, force: true });

async function timeRequests(most: number, isOver: () => boolean = () => false): Promise<number[]> {
  const times: number[] = [];
  while (times.length < most && !isOver()) {
    const from = performance.now();
    await (await fetch(`${url}/health`)).text();
    times.push(performance.now() - from);
  }
  return times.sort((left, right) => left - right);
}

function report(what: string, times: readonly number[]): void {
  const at = (share: number): string => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  process.stdout.write(`${what}: ${times.length} requests, median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms, longest ${at(1)} ms\n`);
}
