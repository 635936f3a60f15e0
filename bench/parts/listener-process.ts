import { once } from 'node:events';
import { WebSocket } from 'ws';
import { machineClock } from './figures.ts';
import type { Arrival, FollowerMessage } from './follower.ts';

const CONNECTING_AT_ONCE = 50;
const MARK = /"n":(\d+)/;

const arrivals: Arrival[] = [];
const tell = (message: FollowerMessage): void => void process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
process.on('message', (message) => {
  if (message === 'arrivals') tell({ kind: 'arrivals', arrivals: arrivals.splice(0) });
  else void openAll(message as string[]).then(() => tell({ kind: 'open' }));
});

async function openAll(urls: readonly string[]): Promise<void> {
  for (let at = 0; at < urls.length; at += CONNECTING_AT_ONCE) await Promise.all(urls.slice(at, at + CONNECTING_AT_ONCE).map(open));
}

async function open(url: string): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on('message', (data: Buffer) => {
    const now = machineClock();
    const n = MARK.exec(data.toString('latin1'))?.[1];
    if (n !== undefined) arrivals.push([Number(n), now]);
  });
  await once(socket, 'open');
  socket.on('close', (code: number) => {
    throw new Error(`a socket was closed with ${code}`);
  });
}
