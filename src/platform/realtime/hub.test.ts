import { afterEach, describe, expect, it, vi } from 'vitest';
import { FakeSocket, messagesIn } from '#testing/fake-socket.ts';
import { openLog } from '../observability/log.ts';
import { openMetrics } from '../observability/metrics.ts';
import { textFrame } from './frames.ts';
import { openHub, type Hub, type HubLimits } from './hub.ts';
import { hubMetrics } from './hub-metrics.ts';

const hubs: Hub[] = [];
afterEach(() => {
  for (const hub of hubs.splice(0)) hub.close();
});

function open(limits: Partial<HubLimits> = {}) {
  const shown = openMetrics();
  const metrics = hubMetrics(shown);
  const hub = openHub({ metrics: shown, log: openLog('silent'), limits });
  hubs.push(hub);
  const join = (userId: string, topics: string[] = []) => {
    const socket = new FakeSocket();
    const connection = hub.connect(socket, { userId, topics, signal: socket.signal });
    if (!connection) throw new Error('not connected');
    return { socket, connection };
  };
  return { hub, join, metrics };
}

const turn = () => new Promise(setImmediate);
const valueOf = async (metric: { get(): Promise<{ values: { value: number }[] }> }) =>
  (await metric.get()).values.reduce((sum, { value }) => sum + value, 0);

describe('a frame', () => {
  it.each([0, 1, 125, 126, 65_535, 65_536, 200_000])('carries a text of %i characters', (length) => {
    const text = 'x'.repeat(length);
    expect(messagesIn(textFrame(JSON.stringify(text)))).toEqual([text]);
  });

  it('counts bytes and not characters', () => {
    expect(messagesIn(Buffer.concat([textFrame('"ä€😀"'), textFrame('1')]))).toEqual(['ä€😀', 1]);
  });
});

describe('publishing', () => {
  it('reaches the sockets of a user, of a topic, and those of a user that follow a topic', async () => {
    const { hub, join } = open();
    const anna = [join('anna', ['news']), join('anna')];
    const bert = join('bert', ['news']);
    expect(hub.publish({ userId: 'anna' }, 1)).toBe(2);
    expect(hub.publish({ topic: 'news' }, 2)).toBe(2);
    expect(hub.publish({ userId: 'anna', topic: 'news' }, 3)).toBe(1);
    expect(hub.publish({ userId: 'carl' }, 4)).toBe(0);
    expect(hub.publish({ topic: 'nobody follows' }, 4)).toBe(0);
    await turn();
    expect([...anna, bert].map(({ socket }) => socket.messages)).toEqual([[1, 2, 3], [1], [2]]);
  });

  it('encodes once and writes once per socket and turn, the same bytes to all', async () => {
    const { hub, join } = open();
    const sockets = Array.from({ length: 100 }, (_, n) => join(`user-${n}`, ['all']).socket);
    for (let n = 0; n < 4; n += 1) hub.publish({ topic: 'all' }, { n });
    await turn();
    const [first] = sockets;
    expect(first?.messages).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
    for (const socket of sockets) {
      expect(socket.writes).toHaveLength(1);
      expect(socket.writes[0]).toBe(first?.writes[0]);
    }
  });

  it('keeps the order where a socket is told something of its own between', async () => {
    const { hub, join } = open();
    const { socket, connection } = join('anna', ['all']);
    const other = join('bert', ['all']).socket;
    hub.publish({ topic: 'all' }, 1);
    connection.send('ack');
    hub.publish({ topic: 'all' }, 2);
    await turn();
    expect([socket.messages, other.messages]).toEqual([
      [1, 'ack', 2],
      [1, 2],
    ]);
  });

  it('does not reach whoever left or unsubscribed', async () => {
    const { hub, join } = open();
    const anna = join('anna', ['news']);
    const bert = join('bert', ['news', 'more']);
    anna.socket.leave();
    bert.connection.unsubscribe(['news', 'unknown']);
    expect(hub.publish({ topic: 'news' }, 1)).toBe(0);
    expect(bert.connection.topics()).toEqual(['more']);
    expect(hub.counts('anna')).toEqual({ sockets: 0, foreground: 0 });
    expect(anna.connection.subscribe(['news'])).toEqual([]);
    expect(hub.publish({ topic: 'news' }, 1)).toBe(0);
  });
});

describe('a slow reader', () => {
  const tight = { outboxBytes: 100, bufferedBytes: 50 };
  const long = (n: number) => `${n} ${'x'.repeat(30)}`;

  it('holds nobody else up and gets what waited when it reads again', async () => {
    const { hub, join } = open(tight);
    const slow = join('anna', ['all']).socket;
    const fast = join('bert', ['all']).socket;
    slow.isSlow = true;
    for (let n = 0; n < 4; n += 1) {
      hub.publish({ topic: 'all' }, long(n));
      await turn();
    }
    expect(fast.messages).toEqual([0, 1, 2, 3].map(long));
    expect(slow.messages).toEqual([0, 1].map(long));
    slow.isSlow = false;
    slow.bufferedAmount = 0;
    await vi.waitFor(() => expect(slow.messages).toEqual([0, 1, 2, 3].map(long)));
  });

  it('misses the oldest of what may be missed and nothing else', async () => {
    const { hub, join, metrics } = open(tight);
    const { socket, connection } = join('anna', ['all']);
    socket.bufferedAmount = 1000;
    connection.send(long(0));
    for (let n = 1; n < 6; n += 1) hub.publish({ topic: 'all' }, long(n), { droppable: true });
    socket.bufferedAmount = 0;
    await turn();
    expect(socket.messages).toEqual([long(0), long(5)]);
    expect(socket.closed).toBeNull();
    expect(await valueOf(metrics.dropped)).toBe(4);
  });

  it('is closed when what it may not miss has no room', async () => {
    const { hub, join, metrics } = open(tight);
    const { socket, connection } = join('anna', ['all']);
    socket.bufferedAmount = 1000;
    for (let n = 0; n < 4; n += 1) connection.send(long(n));
    expect(socket.closed).toEqual({ code: 1013, reason: 'reads too slowly' });
    expect(hub.counts('anna').sockets).toBe(0);
    socket.leave();
    await turn();
    expect(socket.writes).toEqual([]);
    expect(await valueOf(metrics.sockets)).toBe(0);
  });

  it('is nobody who is told much within one turn', async () => {
    const { hub, join } = open(tight);
    const { socket } = join('anna', ['all']);
    for (let n = 0; n < 50; n += 1) hub.publish({ topic: 'all' }, long(n));
    await turn();
    expect(socket.closed).toBeNull();
    expect(socket.messages).toHaveLength(50);
  });

  it('takes a message that is larger than its outbox', async () => {
    const { hub, join } = open(tight);
    const { socket } = join('anna');
    hub.publish({ userId: 'anna' }, 'x'.repeat(500));
    await turn();
    expect(socket.messages).toEqual(['x'.repeat(500)]);
  });
});

describe('a connection', () => {
  it('has no more topics than the limit', () => {
    const { join } = open({ topicsPerSocket: 2 });
    const { connection } = join('anna', ['a']);
    expect(connection.subscribe(['a', 'b', 'c'])).toEqual(['a', 'b']);
  });

  it('is refused when the user has too many', () => {
    const { hub, join } = open({ socketsPerUser: 1 });
    join('anna');
    const socket = new FakeSocket();
    expect(hub.connect(socket, { userId: 'anna', signal: socket.signal })).toBeNull();
    expect(socket.closed?.code).toBe(1008);
    expect(hub.counts('anna').sockets).toBe(1);
  });

  it('is none when its client has left already', () => {
    const { hub } = open();
    const socket = new FakeSocket();
    socket.leave();
    expect(hub.connect(socket, { userId: 'anna', signal: socket.signal })).toBeNull();
    expect(hub.counts('anna').sockets).toBe(0);
  });

  it('is that of another user after a transfer, with its topics', async () => {
    const { hub, join } = open();
    const changes: string[] = [];
    const { socket, connection } = join('anon', ['news']);
    const own = join('anna').socket;
    hub.onChange((userId) => changes.push(userId));
    hub.transfer('anon', 'anna');
    expect(connection.userId).toBe('anna');
    expect([hub.counts('anon').sockets, hub.counts('anna').sockets]).toEqual([0, 2]);
    expect(changes.toSorted()).toEqual(['anna', 'anon']);
    hub.publish({ userId: 'anna', topic: 'news' }, 1);
    hub.publish({ userId: 'anna' }, 2);
    await turn();
    expect([socket.messages, own.messages]).toEqual([[1, 2], [2]]);
    socket.leave();
    expect(hub.counts('anna').sockets).toBe(1);
  });

  it('is told to come back when the service ends, after what waited', async () => {
    const { hub, join } = open();
    const { socket } = join('anna');
    hub.publish({ userId: 'anna' }, 'last');
    hub.close();
    expect(socket.messages).toEqual(['last']);
    expect(socket.closed?.code).toBe(1012);
  });

  it('counts as looked at when its client says so', () => {
    const { hub, join } = open();
    const changes: string[] = [];
    hub.onChange((userId) => changes.push(userId));
    const { connection, socket } = join('anna');
    connection.setForeground(true);
    connection.setForeground(true);
    expect(hub.counts('anna')).toEqual({ sockets: 1, foreground: 1 });
    socket.leave();
    expect(changes).toEqual(['anna', 'anna', 'anna']);
  });
});
