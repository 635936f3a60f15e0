// How many events of the billing provider are recorded and worked in a second, each over HTTP and of one of many users.
import { randomUUID } from 'node:crypto';
import { milliseconds, percentile, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { startInProcess } from '../parts/in-process.ts';

const SECRET = 'the-bearer-of-the-provider';
const EVENTS = 2000;
const USERS = 200;
const AT_ONCE = 16;
const TYPES = ['INITIAL_PURCHASE', 'RENEWAL', 'CANCELLATION', 'UNCANCELLATION', 'BILLING_ISSUE', 'RENEWAL', 'EXPIRATION'];

await using kept = new AsyncDisposableStack();
for (const place of await places(kept)) await measure(place);

async function measure(place: Place): Promise<void> {
  await using service = await startInProcess({ ...place.env, BILLING_WEBHOOK_SECRET: SECRET, BILLING_TIERS: 'pro_monthly=pro' });
  // The interface lets 600 a minute in.
  service.ctx.limiter = { hit: async () => ({ allowed: true, retryAfter: 0 }) };
  const took: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < EVENTS) {
      const place = next;
      next += 1;
      const began = performance.now();
      await send(service.url, place);
      took.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const seconds = (performance.now() - began) / 1000;
  report({
    measure: `${EVENTS} billing events of ${USERS} users, ${AT_ONCE} at once, on ${place.name}`,
    value: `${Math.round(EVENTS / seconds)} a second; one takes ${milliseconds(percentile(took, 0.5))}, p95 ${milliseconds(percentile(took, 0.95))}`,
  });
}

async function send(url: string, place: number): Promise<void> {
  const user = place % USERS;
  const event = {
    id: randomUUID(),
    type: TYPES[Math.floor(place / USERS) % TYPES.length],
    event_timestamp_ms: 1_700_000_000_000 + place * 1000,
    app_user_id: `user-${user}`,
    product_id: 'pro_monthly',
    original_transaction_id: `t-${user}`,
    expiration_at_ms: 1_800_000_000_000,
  };
  const answer = await fetch(`${url}/api/v1/billing/rc-webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ api_version: '1.0', event }),
  });
  const body = (await answer.json()) as { ok?: boolean; deferred?: boolean };
  if (answer.status !== 200 || !body.ok || body.deferred) throw new Error(`an event was answered ${answer.status} ${JSON.stringify(body)}`);
}
