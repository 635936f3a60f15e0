import { startScriptedModel } from '#testing/scripted-model-server.ts';
import { openSearchServer } from '#testing/search-server.ts';
import type { Addresses, Seen } from './outside.ts';

const [modelMs, searchMs] = process.argv.slice(2).map(Number);
const site = await openSearchServer();
const hits = [1, 2, 3, 4, 5].map((n) => ({ url: `${site.baseUrl}/page/${n}`, title: `Article ${n}`, snippet: `What article ${n} says in short.` }));
const engine = await openSearchServer({ hits, ...(searchMs ? { latencyMs: searchMs } : {}) });
const model = await startScriptedModel(modelMs ? { latencyMs: modelMs } : {});

const seen = (): Seen => ({
  models: model.count(),
  searches: engine.requests.length,
  pages: site.requests.length,
  latest: model.calls.slice(-4).map(({ raw }) => raw),
});

process.on('message', () => process.send?.(seen()));
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
process.send?.({ model: model.url, engine: engine.baseUrl } satisfies Addresses);
