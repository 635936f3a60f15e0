import { Agent, get } from 'node:http';
import { machineClock } from './figures.ts';
import type { Arrival, Follow, FollowerMessage } from './follower.ts';

const CONNECTING_AT_ONCE = 50;
const MARK = /"n":(\d+)/g;

const arrivals: Arrival[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const tell = (message: FollowerMessage): void => void process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
process.on('message', (message) => {
  if (message === 'arrivals') tell({ kind: 'arrivals', arrivals: arrivals.splice(0) });
  else void openAll(message as Follow).then(() => tell({ kind: 'open' }));
});

async function openAll({ urls, token }: Follow): Promise<void> {
  for (let at = 0; at < urls.length; at += CONNECTING_AT_ONCE) {
    await Promise.all(urls.slice(at, at + CONNECTING_AT_ONCE).map((url) => open(url, token)));
  }
}

/** Resolves with the first bytes, after which every line is timed. */
const open = (url: string, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const now = machineClock();
        for (const [, n] of chunk.matchAll(MARK)) arrivals.push([Number(n), now]);
        resolve();
      });
    }).on('error', reject);
  });
