import { setTimeout as pause } from 'node:timers/promises';
import type { Needs } from '#platform/context.ts';
import { followOn } from '#platform/streams/follow.ts';
import { CHANNELS, type ChannelName } from './channels.ts';
import { ChannelMessage, errorFrame, understood } from './client-messages.ts';
import type { Connected } from './talk-toasts.ts';

/** Things that one socket watches at once. */
const MOST_WATCHED = 50;
/** From so many bytes that the client has not taken on, nothing more is read for it. */
const MOST_UNREAD = 65_536;
const LOOK_MS = 20;

type ChannelNeeds = Needs<'db' | 'hub' | 'streams' | 'wakeups' | 'log'>;

/** Joins the socket of a client that watches channels; gives what hears its messages. */
export function talkChannels(ctx: ChannelNeeds, { caller, socket, signal }: Connected): (text: string) => Promise<void> {
  const connection = ctx.hub.connect(socket, { userId: caller.userId, signal });
  if (!connection) return async () => {};
  const watched = new Map<string, AbortController>();

  const watch = async (channel: ChannelName, id: string, cursor: number) => {
    const place = `${channel} ${id}`;
    if (!(await CHANNELS[channel].isOwned(ctx.db, connection.userId, id)))
      return connection.send(errorFrame('not_found', `${channel} not found`, { channel, id }));
    if (!watched.has(place) && watched.size >= MOST_WATCHED)
      return connection.send(errorFrame('too_many_channels', `at most ${MOST_WATCHED} at once`, { channel, id }));
    watched.get(place)?.abort();
    const stopped = new AbortController();
    watched.set(place, stopped);
    connection.send({ type: 'subscribed', channel, id, after_seq: cursor });
    pass(channel, id, cursor, AbortSignal.any([signal, stopped.signal]))
      .catch((error: unknown) => {
        ctx.log.error({ err: error, channel, id }, 'a channel could not be followed');
        connection.close(1011, 'internal error');
      })
      .finally(() => {
        if (watched.get(place) === stopped) watched.delete(place);
      });
  };

  /** Replay and live are one loop; a client that takes nothing holds it up, and nothing is read ahead for it. */
  const pass = async (channel: ChannelName, id: string, cursor: number, until: AbortSignal) => {
    const from = { log: ctx.streams, wakeups: ctx.wakeups, db: ctx.db };
    for await (const { seq, event, data } of followOn(from, { key: CHANNELS[channel].keyOf(id), cursor }, until)) {
      // Looked at before each: whatever else the client watches may have filled its socket.
      while (socket.unread() > MOST_UNREAD && !until.aborted) await pause(LOOK_MS);
      if (until.aborted) return;
      connection.send({ type: 'event', channel, id, seq, event, data: JSON.parse(data) as unknown });
    }
    if (!until.aborted) connection.send({ type: 'unsubscribed', channel, id });
  };

  return async (text) => {
    const heard = understood(ChannelMessage, text);
    if ('error' in heard) return connection.send(heard.error);
    const { said } = heard;
    if (said.type === 'ping') return connection.send({ type: 'pong' });
    const { channel, id } = said;
    if (said.type === 'subscribe') return watch(channel, id, said.after_seq);
    watched.get(`${channel} ${id}`)?.abort();
    watched.delete(`${channel} ${id}`);
    connection.send({ type: 'unsubscribed', channel, id });
  };
}
