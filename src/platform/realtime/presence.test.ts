import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { openHub } from './hub.ts';
import { openMetrics } from '../observability/metrics.ts';
import { deleteExpiredPresence, openPresence } from './presence.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { ctx } = app;
afterAll(() => app.dispose());

/** One node of several over the same database. */
function newNode(timing = { holdsMs: 60_000, renewsMs: 20_000 }) {
  const nodeId = randomUUID();
  const hub = openHub({ metrics: openMetrics(), log: ctx.log });
  const presence = openPresence({ db: ctx.db, wakeups: ctx.wakeups, hub, log: ctx.log, nodeId, timing });
  const join = (userId: string) => {
    const socket = new FakeSocket();
    const connection = hub.connect(socket, { userId, signal: socket.signal });
    if (!connection) throw new Error('not connected');
    return { connection, socket };
  };
  return { nodeId, hub, presence, join };
}

const rowsOf = async (nodeId: string) =>
  (
    await sql<{ owner_id: string; sockets: number }>`select owner_id, sockets from presence where node_id = ${nodeId} order by owner_id`.execute(
      ctx.db,
    )
  ).rows;

describe('presence', () => {
  it('adds the sockets of a user up over all nodes', async () => {
    const [one, two] = [newNode(), newNode()];
    const userId = randomUUID();
    one.join(userId);
    const { connection, socket } = two.join(userId);
    connection.setForeground(true);
    await Promise.all([one.presence.settled(), two.presence.settled()]);
    expect(await one.presence.of(userId)).toEqual({ sockets: 2, foreground: 1 });
    socket.leave();
    await two.presence.settled();
    expect(await one.presence.of(userId)).toEqual({ sockets: 1, foreground: 0 });
    expect(await rowsOf(two.nodeId)).toEqual([]);
    await Promise.all([one.presence.close(), two.presence.close()]);
    expect(await one.presence.of(userId)).toEqual({ sockets: 0, foreground: 0 });
  });

  it('knows how many sockets follow each topic, over all nodes', async () => {
    const [one, two] = [newNode(), newNode()];
    const userId = randomUUID();
    const [first, second] = [one.join(userId), two.join(userId)];
    const topics = async () => {
      await Promise.all([one.presence.settled(), two.presence.settled()]);
      return Object.fromEntries(await one.presence.topicsOf(userId));
    };
    first.connection.subscribe(['news', 'more']);
    second.connection.subscribe(['news']);
    expect(await topics()).toEqual({ news: 2, more: 1 });
    first.connection.unsubscribe(['news', 'unknown']);
    expect(await topics()).toEqual({ news: 1, more: 1 });
    first.socket.leave();
    expect(await topics()).toEqual({ news: 1 });
    await Promise.all([one.presence.close(), two.presence.close()]);
    expect(await one.presence.topicsOf(userId)).toEqual(new Map());
  });

  it('of a node that is gone ends, and another node removes what it left', async () => {
    const gone = newNode({ holdsMs: 50, renewsMs: 3_600_000 });
    const userId = randomUUID();
    gone.join(userId);
    await gone.presence.settled();
    const other = newNode();
    await vi.waitFor(async () => expect(await other.presence.of(userId)).toEqual({ sockets: 0, foreground: 0 }));
    expect(await rowsOf(gone.nodeId)).toHaveLength(1);
    await deleteExpiredPresence(ctx.db);
    expect(await rowsOf(gone.nodeId)).toEqual([]);
  });

  it('is renewed while somebody is there', async () => {
    const node = newNode({ holdsMs: 400, renewsMs: 20 });
    const userId = randomUUID();
    node.join(userId);
    await node.presence.settled();
    const expiry = async () =>
      (await sql<{ at: Date }>`select expires_at as at from presence where owner_id = ${userId}`.execute(ctx.db)).rows[0]?.at.getTime() ?? 0;
    const first = await expiry();
    await vi.waitFor(async () => expect(await expiry()).toBeGreaterThan(first + 400));
    await node.presence.close();
  });

  it('tells who waits for a change of a user', async () => {
    const [one, two] = [newNode(), newNode()];
    const userId = randomUUID();
    let changes = 0;
    const stop = one.presence.onChange(userId, () => (changes += 1));
    two.join(userId);
    await vi.waitFor(() => expect(changes).toBeGreaterThan(0));
    stop();
    await two.presence.close();
  });

  it('writes many who come at once together', async () => {
    const node = newNode();
    const users = Array.from({ length: 300 }, () => randomUUID());
    for (const userId of users) node.join(userId);
    await node.presence.settled();
    expect(await rowsOf(node.nodeId)).toHaveLength(300);
    await node.presence.close();
    expect(await rowsOf(node.nodeId)).toEqual([]);
  });
});
