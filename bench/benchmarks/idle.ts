// How many statements a service sends while nobody asks for anything.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { startInProcess } from '../parts/in-process.ts';

/** By then what follows a start is over. */
const IDLE_AFTER_MS = 12_000;
const COUNTED_MS = 60_000;
const SHOWN = 4;

type Query = (this: pg.Client, statement: unknown, ...rest: unknown[]) => unknown;

const counts = new Map<string, number>();
countStatements();
await using kept = new AsyncDisposableStack();
for (const place of await places(kept)) await measure(place);

async function measure(place: Place): Promise<void> {
  await using service = await startInProcess(place.env);
  await fetch(`${service.url}/health`);
  await pause(IDLE_AFTER_MS);
  counts.clear();
  await pause(COUNTED_MS);
  const found = [...counts].toSorted(([, left], [, right]) => right - left);
  const total = found.reduce((sum, [, count]) => sum + count, 0);
  const most = found.slice(0, SHOWN).map(([text, count]) => `${count} × ${text}`);
  report({
    measure: `statements at rest on ${place.name}, in ${COUNTED_MS / 1000} s`,
    value: `${total}, ${((total * 1000) / COUNTED_MS).toFixed(2)} a second; ${most.join('; ')}`,
  });
}

/** Every statement of both databases goes through this one door. */
function countStatements(): void {
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  client.query = function counted(statement, ...rest) {
    const text = typeof statement === 'string' ? statement : String((statement as { text?: string }).text);
    const shown = text.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
    return query.call(this, statement, ...rest);
  };
}
