import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openSessions } from '#features/auth';
import { startTestApp } from '#testing/app.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import type { Db } from '../db/database.ts';
import { openMetrics } from '../observability/metrics.ts';
import { openHub } from './hub.ts';
import { deleteOldMessages, transferSockets } from './message-store.ts';
import { openPresence } from './presence.ts';
import { openRelay } from './relay.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { ctx } = app;
const nodes: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const node of nodes) await node.close();
  await app.dispose();
});

/** One node of several over the same database. */
function newNode({ db = ctx.db, holdsMs = 60_000 }: { db?: Db; holdsMs?: number } = {}) {
  const nodeId = randomUUID();
  const hub = openHub({ metrics: openMetrics(), log: ctx.log });
  const needs = { db: ctx.db, wakeups: ctx.wakeups, hub, log: ctx.log, nodeId };
  const presence = openPresence({ ...needs, timing: { holdsMs, renewsMs: 3_600_000 } });
  const relay = openRelay({ ...needs, db, presence });
  const join = async (userId: string, topics: string[] = []) => {
    const socket = new FakeSocket();
    if (!hub.connect(socket, { userId, topics, signal: socket.signal })) throw new Error('not connected');
    await relay.settled();
    return socket;
  };
  const close = async () => {
    hub.close();
    await relay.close();
    await presence.close();
  };
  nodes.push({ close });
  return { nodeId, hub, presence, relay, join, close };
}

const waitingFor = async (userId: string) =>
  (
    await sql<{ node_id: string | null; body: string }>`
      select node_id, body from realtime_messages where owner_id = ${userId} order by sequence`.execute(ctx.db)
  ).rows;

/** The number of the last message that was written. */
async function messagesWritten(): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select last_value::int as last from realtime_messages_sequence_seq`.execute(ctx.db);
  return rows[0]?.last ?? 0;
}

const received = (socket: FakeSocket, messages: unknown[]) => expect.poll(() => socket.messages, { timeout: 10_000 }).toEqual(messages);

describe('a message', () => {
  it('reaches the sockets of a user on every node, once, and nobody else', async () => {
    const [one, two, three] = [newNode(), newNode(), newNode()];
    const [anna, bert] = [randomUUID(), randomUUID()];
    const sockets = [await one.join(anna), await two.join(anna), await two.join(anna), await three.join(anna)];
    const other = await two.join(bert);
    await one.relay.publish({ userId: anna }, 'from one');
    await three.relay.publish({ userId: anna }, 'from three');
    for (const socket of sockets) await received(socket, ['from one', 'from three']);
    await two.relay.publish({ userId: bert }, 'last');
    await received(other, ['last']);
    expect(sockets.map(({ messages }) => messages.length)).toEqual([2, 2, 2, 2]);
    expect(await waitingFor(anna)).toEqual([]);
  });

  it('reaches those of a user that follow its topic', async () => {
    const [one, two] = [newNode(), newNode()];
    const anna = randomUUID();
    const [news, all] = [await two.join(anna, ['news']), await two.join(anna)];
    await one.relay.publish({ userId: anna, topic: 'news' }, 1);
    await one.relay.publish({ userId: anna }, 2);
    await received(news, [1, 2]);
    await received(all, [2]);
  });

  it('comes in the order in which a node sent it, and all nodes agree on the order', async () => {
    const [one, two] = [newNode(), newNode()];
    const anna = randomUUID();
    const sockets = [await one.join(anna), await two.join(anna)];
    const numbers = Array.from({ length: 700 }, (_, n) => n);
    const sent = [one, two].flatMap(({ relay }, node) => numbers.map((n) => relay.publish({ userId: anna }, { node, n })));
    await Promise.all(sent);
    await expect.poll(() => sockets.map(({ messages }) => messages.length), { timeout: 20_000 }).toEqual([1400, 1400]);
    const [first, second] = sockets.map(({ messages }) => messages as { node: number; n: number }[]);
    expect(first).toEqual(second);
    for (const node of [0, 1]) expect(first?.filter((message) => message.node === node).map(({ n }) => n)).toEqual(numbers);
  });

  it('is not written where all sockets of the user are here', async () => {
    const [one, two] = [newNode(), newNode()];
    const [anna, bert] = [randomUUID(), randomUUID()];
    const socket = await one.join(anna);
    await two.join(bert);
    const before = await messagesWritten();
    await one.relay.publish({ userId: anna }, 1);
    await one.relay.publish({ userId: anna }, 2, { droppable: true });
    await received(socket, [1, 2]);
    expect(await messagesWritten()).toBe(before);
  });

  it('waits for whoever comes where nobody is there, unless it is droppable', async () => {
    const [one, two] = [newNode(), newNode()];
    const anna = randomUUID();
    await one.relay.publish({ userId: anna }, 'missed', { droppable: true });
    expect(await waitingFor(anna)).toEqual([]);
    await one.relay.publish({ userId: anna }, 'kept');
    expect(await waitingFor(anna)).toEqual([{ node_id: null, body: '"kept"' }]);
    const first = await two.join(anna);
    const second = await one.join(anna);
    await received(first, ['kept']);
    await one.relay.publish({ userId: anna }, 'for both');
    await received(first, ['kept', 'for both']);
    await received(second, ['for both']);
  });

  it('does not wait where it is not to, and says whether there was a socket that it could go to', async () => {
    const [one, two] = [newNode(), newNode()];
    const [anna, bert] = [randomUUID(), randomUUID()];
    const publish = (userId: string, topic: string) => one.relay.publish({ userId, topic }, topic, { waits: false });
    expect(await publish(anna, 'news')).toBe(false);
    expect(await waitingFor(anna)).toEqual([]);
    const here = await one.join(anna, ['news']);
    expect([await publish(anna, 'news'), await publish(anna, 'more')]).toEqual([true, false]);
    const there = await two.join(bert, ['news']);
    expect(await publish(bert, 'news')).toBe(true);
    await received(here, ['news']);
    await received(there, ['news']);
  });

  it('is not delivered when it is of no use any more', async () => {
    const [one, two] = [newNode(), newNode()];
    const anna = randomUUID();
    const socket = await two.join(anna);
    await one.relay.publish({ userId: anna }, 'long', { forMs: 600_000 });
    await one.relay.publish({ userId: anna }, 'late', { forMs: -1 });
    await one.relay.publish({ userId: anna }, 'last');
    await received(socket, ['long', 'last']);
  });

  it('follows those before it although the other nodes have left', async () => {
    const [one, two] = [newNode(), newNode()];
    const anna = randomUUID();
    const socket = await one.join(anna);
    const leaving = await two.join(anna);
    const first = one.relay.publish({ userId: anna }, 1);
    leaving.leave();
    await Promise.all([first, two.presence.settled()]);
    await one.relay.publish({ userId: anna }, 2);
    await received(socket, [1, 2]);
  });

  it('fails aloud where the database does not say who is there, and the next one is sent', async () => {
    const broken = { is: true };
    const db = new Proxy(ctx.db, {
      get: (target, name: keyof Db) => {
        if (broken.is && name === 'getExecutor') throw new Error('no database');
        const found = target[name];
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
    const node = newNode({ db });
    const anna = randomUUID();
    await expect(node.relay.publish({ userId: anna }, 'lost')).rejects.toThrow('no database');
    broken.is = false;
    const socket = await node.join(anna);
    await node.relay.publish({ userId: anna }, 'sent');
    await received(socket, ['sent']);
  });
});

describe('a reader that joins while messages come', () => {
  it('gets all of them from some message on, each once', async () => {
    const [one, two] = [newNode(), newNode()];
    const anna = randomUUID();
    const here = await one.join(anna);
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    let late: FakeSocket | undefined;
    for (const n of numbers) {
      if (n === 100) late = await two.join(anna);
      await one.relay.publish({ userId: anna }, n);
    }
    await received(here, numbers);
    await expect.poll(() => late?.messages.at(-1), { timeout: 10_000 }).toBe(299);
    expect(late?.messages).toEqual(numbers.slice(100));
  });
});

describe('a node that dies', () => {
  it('takes nobody with it, and what it did not take is removed', async () => {
    const one = newNode();
    const two = newNode();
    const anna = randomUUID();
    const socket = await one.join(anna);
    const dead = newNode();
    await dead.join(anna);
    await dead.relay.close();
    const gone = dead.nodeId;
    await two.relay.publish({ userId: anna }, 1);
    await received(socket, [1]);
    expect((await waitingFor(anna)).map(({ node_id: nodeId }) => nodeId)).toEqual([gone]);
    await sql`update presence set expires_at = clock_timestamp() where node_id = ${gone}`.execute(ctx.db);
    await two.relay.publish({ userId: anna }, 2);
    await received(socket, [1, 2]);
    expect(await waitingFor(anna)).toHaveLength(1);
    await deleteOldMessages(ctx.db);
    expect(await waitingFor(anna)).toHaveLength(1);
    await sql`update realtime_messages set created_at = created_at - interval '1 minute' where node_id = ${gone}`.execute(ctx.db);
    await deleteOldMessages(ctx.db);
    expect(await waitingFor(anna)).toEqual([]);
  });

  it('leaves nothing stale to whoever comes', async () => {
    const node = newNode();
    const anna = randomUUID();
    await node.relay.publish({ userId: anna }, 'old');
    await sql`update realtime_messages set created_at = created_at - interval '1 minute' where owner_id = ${anna}`.execute(ctx.db);
    await node.relay.publish({ userId: anna }, 'new');
    await received(await node.join(anna), ['new']);
  });
});

describe('sockets whose owner turns out to be a user', () => {
  it('are that user’s on every node, behind what came before', async () => {
    const [one, two] = [newNode(), newNode()];
    const [anon, anna] = [`anon:${randomUUID()}`, randomUUID()];
    const [there, own] = [await two.join(anon), await two.join(anna)];
    const here = await one.join(anon);
    await one.relay.publish({ userId: anon }, 'before');
    await ctx.db.transaction().execute((tx) => transferSockets(tx, anon, anna));
    await vi.waitFor(() => expect([one.hub.counts(anon).sockets, two.hub.counts(anon).sockets]).toEqual([0, 0]), 10_000);
    await Promise.all([one, two].map(({ relay }) => relay.settled()));
    expect(await one.presence.of(anna)).toEqual({ sockets: 3, foreground: 0 });
    expect(await one.presence.of(anon)).toEqual({ sockets: 0, foreground: 0 });
    await two.relay.publish({ userId: anna }, 'after');
    for (const socket of [there, here]) await received(socket, ['before', 'after']);
    await received(own, ['after']);
  });

  it('get what waited for them under the name that they had', async () => {
    const node = newNode();
    const [anon, anna] = [`anon:${randomUUID()}`, randomUUID()];
    await node.relay.publish({ userId: anon }, 'kept');
    await ctx.db.transaction().execute((tx) => transferSockets(tx, anon, anna));
    await received(await node.join(anna), ['kept']);
  });
});

describe('signing in on a device', () => {
  it('moves what its anonymous owner has connected', async () => {
    const node = newNode();
    const [anonymous, user] = [await app.anonymous(), await app.user()];
    const { userId: owner } = await openSessions(ctx).principalOf(anonymous.token);
    const socket = await node.join(owner);
    expect((await user.call('POST', '/auth/rebind', { device_id: anonymous.deviceId })).body).toMatchObject({ rebound: true });
    await vi.waitFor(() => expect(node.hub.counts(user.userId).sockets).toBe(1), 10_000);
    await ctx.relay.publish({ userId: user.userId }, 'welcome');
    await received(socket, ['welcome']);
  });
});
