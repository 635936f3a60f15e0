import { newCaller, type Caller } from './callers.ts';
import type { Exchange } from './exchange.ts';
import { furnishedCaller } from './furnish.ts';
import { openLane, type Lane } from './lane.ts';
import { newExchange } from './malformed.ts';
import { readOperations } from './operations.ts';
import { randomFrom } from './random.ts';
import type { Material } from './requests.ts';
import { openTally, type Tally } from './tally.ts';
import { oddTokens } from './tokens.ts';

export type Attack = {
  url: string;
  /** The key of the service's embedded identity provider: tokens that say odd things are signed with it. */
  keyFile: string;
  count: number;
  seed: number;
  /** Connections at once. */
  lanes?: number;
  /** Called now and then with how many have been sent. */
  progress?: (sent: number, tally: Tally) => void;
};

/** Limits count per user, and users sign themselves out, so another one comes every so often; every other one has something. */
const REQUESTS_PER_CALLER = 50;
const CALLERS_AT_ONCE = 4;
const FURNISHED_EVERY = 2;
const MOST_AT_ONCE = 8;

/**
 * Sends malformed, boundary and random requests over raw sockets and counts what comes back. What a lane sends follows
 * from the seed and from the ids that its callers were told.
 */
export async function runFuzz({ url, keyFile, count, seed, lanes = 8, progress }: Attack): Promise<Tally> {
  const tally = openTally();
  const operations = await readOperations(url);
  const tokens = await oddTokens(keyFile, randomFrom(seed));
  let sent = 0;
  const run = async (number: number): Promise<void> => {
    const random = randomFrom(seed + number * 7919);
    const callers: Caller[] = [await furnishedCaller(url, random)];
    const material: Material = { random, operations, oddTokens: tokens, callers };
    const lane = openLane(url);
    const nextCaller = (place: number) =>
      place % FURNISHED_EVERY === 0 ? furnishedCaller(url, randomFrom(seed + number * 7919 + place)) : newCaller(url);
    let arriving: Promise<void> | undefined;
    let own = 0;
    let place = 0;
    while (sent < count) {
      const batch = Array.from({ length: 1 + random.int(MOST_AT_ONCE) }, () => newExchange(material));
      sent += batch.length;
      own += batch.length;
      await send(lane, batch, tally);
      for (const { signsOut } of batch) if (signsOut && callers.includes(signsOut)) callers.splice(callers.indexOf(signsOut), 1);
      if (callers.length === 0) callers.push(await newCaller(url));
      progress?.(sent, tally);
      if (own < REQUESTS_PER_CALLER || arriving) continue;
      own = 0;
      place += 1;
      // The lane goes on while their work is done.
      arriving = nextCaller(place).then((caller) => {
        callers.push(caller);
        if (callers.length > CALLERS_AT_ONCE) callers.shift();
        arriving = undefined;
      });
    }
    await arriving;
    lane.close();
  };
  await Promise.all(Array.from({ length: lanes }, (_each, number) => run(number)));
  return tally;
}

/** Whole requests go together, the others each on a connection of its own. */
async function send(lane: Lane, batch: readonly Exchange[], tally: Tally): Promise<void> {
  const whole = batch.filter(({ kind }) => kind === 'answered');
  if (whole.length > 0) {
    for (const [place, result] of (await lane.pipeline(whole)).entries()) {
      const exchange = whole[place];
      if (!exchange) continue;
      tally.count(exchange, result, whole[place - 1]);
      if (result.answer && result.answer.status < 300) learn(exchange, result.answer.body);
    }
  }
  for (const exchange of batch.filter(({ kind }) => kind !== 'answered')) tally.count(exchange, await lane.alone(exchange));
}

function learn({ learns }: Exchange, body: Buffer): void {
  // Lists of hundreds and files tell nothing that is worth the time.
  if (!learns || body.length > 200_000 || !/^[[{]/.test(body.toString('latin1', 0, 1))) return;
  learns.caller.learn(learns.family, JSON.parse(body.toString('utf8')));
}
