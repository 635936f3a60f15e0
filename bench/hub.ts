// What a message costs that goes to 1,000 sockets: through the hub, which encodes once and writes once per turn, and with
// each socket encoding and writing every message by itself. Processor time of this process; the readers are in another one.
// Usage: node bench/hub.ts [--sockets 1000] [--turns 200]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket as TcpSocket } from 'node:net';
import { parseArgs } from 'node:util';
import { openHub } from '#platform/realtime/hub.ts';
import { openMetrics } from '#platform/observability/metrics.ts';
import { textFrame } from '#platform/realtime/frames.ts';
import { ratioOf, report } from './parts/figures.ts';

const PER_TURN = 4;
const ROUNDS = 5;
const MESSAGE = { type: 'toast', toast: { title: 'A research is complete', body: 'x'.repeat(220) } };

const { values } = parseArgs({ options: { sockets: { type: 'string', default: '1000' }, turns: { type: 'string', default: '200' } } });
const [count, turns] = [Number(values.sockets), Number(values.turns)];

const readers = `
  const { connect } = require('node:net');
  const [port, count] = process.argv.slice(1).map(Number);
  for (let n = 0; n < count; n += 1) connect(port, '127.0.0.1').resume().on('error', () => {});`;

const sockets: TcpSocket[] = [];
const server = createServer({ noDelay: true }, (socket) => void sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
await once(server, 'listening');
const child = spawn(process.execPath, ['-e', readers, String((server.address() as AddressInfo).port), String(count)], { stdio: 'inherit' });
while (sockets.length < count) await once(server, 'connection');

const hub = openHub({ metrics: openMetrics(), log: { warn: () => {} } });
for (const [n, socket] of sockets.entries()) {
  hub.connect(
    { writeFrames: (frames) => void socket.write(frames), unread: () => socket.writableLength, close: () => {} },
    { userId: `user-${n}`, topics: ['all'], signal: new AbortController().signal },
  );
}

const nextTurn = () => new Promise(setImmediate);

/** Microseconds of processor time per message and socket. */
async function costOf(publish: () => void): Promise<number> {
  const before = process.cpuUsage();
  for (let turn = 0; turn < turns; turn += 1) {
    for (let n = 0; n < PER_TURN; n += 1) publish();
    await nextTurn();
    while (sockets.some(({ writableLength }) => writableLength > 0)) await nextTurn();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (turns * PER_TURN * count);
}

const shared = () => void hub.publish({ topic: 'all' }, MESSAGE);
const alone = () => {
  for (const socket of sockets) socket.write(textFrame(JSON.stringify(MESSAGE)));
};
await costOf(shared);
await costOf(alone);
const costs = { shared: Number.POSITIVE_INFINITY, alone: Number.POSITIVE_INFINITY };
for (let round = 0; round < ROUNDS; round += 1) {
  costs.shared = Math.min(costs.shared, await costOf(shared));
  costs.alone = Math.min(costs.alone, await costOf(alone));
}
report({
  measure: `a message to ${count} sockets, ${PER_TURN} in a turn, shared frames`,
  value: `${costs.shared.toFixed(2)} µs each`,
  compared: `${costs.alone.toFixed(2)} µs each alone`,
  ratio: ratioOf(costs.shared, costs.alone),
});
hub.close();
for (const socket of sockets) socket.destroy();
server.close();
child.kill();
