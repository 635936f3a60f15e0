import type { TestUser } from './app.ts';
import { socketTo, type SocketClient } from './socket-client.ts';

export type Frame = Record<string, unknown> & { type: string };

export type FrameClient = Pick<SocketClient, 'closed' | 'close'> & {
  say(message: unknown): void;
  /** The next frame, in the order that they came. */
  next(): Promise<Frame>;
  /** Sends a ping and gives what came before its answer: all that was on its way. */
  soFar(): Promise<Frame[]>;
};

/** Opens a socket of a user on a service; its token comes from `toast-bootstrap`. */
export async function connectAs(
  user: TestUser,
  serviceUrl: string,
  { path = '/api/v1/realtime', topics }: { path?: string; topics?: readonly string[] } = {},
): Promise<FrameClient> {
  const { body, text } = await user.call('POST', '/v1/sessions/toast-bootstrap', topics ? { default_topics: topics } : {});
  if (typeof body['token'] !== 'string') throw new Error(`no token: ${text}`);
  return framesOf(await socketTo(`${serviceUrl}${path}?token=${body['token']}`));
}

export function framesOf(socket: SocketClient): FrameClient {
  const say = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  const next = async () => JSON.parse(await socket.next()) as Frame;
  return {
    say,
    next,
    closed: socket.closed,
    close: socket.close,
    soFar: async () => {
      say({ type: 'ping' });
      const frames: Frame[] = [];
      for (let frame = await next(); frame.type !== 'pong'; frame = await next()) frames.push(frame);
      return frames;
    },
  };
}
