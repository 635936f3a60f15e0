import type { Needs } from '#platform/context.ts';
import type { FrameSocket } from '#platform/realtime/hub.ts';
import { errorFrame, ToastMessage, understood } from './client-messages.ts';
import type { SocketCaller } from './open-socket-session.ts';
import { sendWaiting } from './send-waiting.ts';
import { clientTopicsOf, CONTROL_TOPIC, hubTopicOf, isAllowedTopic } from './topics.ts';

type TalkNeeds = Needs<'db' | 'hub' | 'presence' | 'relay' | 'clock'>;

/** A client that is connected: who it is, over what, and until when. */
export type Connected = { caller: SocketCaller; socket: FrameSocket; signal: AbortSignal };

/** Joins the socket of a client that takes toasts, greets it, and sends what waits for it. Gives what hears its messages. */
export async function talkToasts(ctx: TalkNeeds, { caller, socket, signal }: Connected): Promise<(text: string) => Promise<void>> {
  const topics = caller.topics.filter((topic) => isAllowedTopic(caller.userId, topic));
  const connection = ctx.hub.connect(socket, { userId: caller.userId, topics: [CONTROL_TOPIC, ...topics.map(hubTopicOf)], signal });
  if (!connection) return async () => {};
  const followed = () => clientTopicsOf(connection.topics());
  /** Known to all nodes first, so that whoever publishes from now on sees the socket. */
  const sendWhatWaits = async () => {
    await ctx.presence.settled();
    if (!signal.aborted) await sendWaiting(ctx, connection.userId);
  };
  connection.send({ type: 'connection_ack', session_id: connection.id, topics: followed() });
  await sendWhatWaits();

  const subscribe = async (asked: readonly string[]) => {
    const allowed = asked.filter((topic) => isAllowedTopic(connection.userId, topic));
    for (const topic of asked.filter((each) => !allowed.includes(each)))
      connection.send(errorFrame('topic_not_allowed', 'the topic is another user’s', { topic }));
    const taken = new Set(connection.subscribe(allowed.map(hubTopicOf)));
    for (const topic of allowed.filter((each) => !taken.has(hubTopicOf(each))))
      connection.send(errorFrame('too_many_topics', 'the connection follows too many topics', { topic }));
    connection.send({ type: 'subscribed', topics: followed() });
    if (taken.size > 0) await sendWhatWaits();
  };

  return async (text) => {
    const heard = understood(ToastMessage, text);
    if ('error' in heard) return connection.send(heard.error);
    const { said } = heard;
    switch (said.type) {
      case 'subscribe':
        return subscribe(said.topics);
      case 'unsubscribe':
        connection.unsubscribe(said.topics.map(hubTopicOf));
        connection.send({ type: 'unsubscribed', topics: followed() });
        return ctx.presence.settled();
      case 'client_state':
        connection.setForeground(said.foreground_state === 'foreground');
        return ctx.presence.settled();
      default:
        return connection.send({ type: 'pong' });
    }
  };
}
