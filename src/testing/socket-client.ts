import { once } from 'node:events';

export type SocketClient = {
  raw: WebSocket;
  send(text: string | Uint8Array): void;
  /** The next message, in the order that they came. */
  next(): Promise<string>;
  /** Code and reason of the end. */
  closed: Promise<{ code: number; reason: string }>;
  close(): void;
};

/** Opens a WebSocket at an `http:` address. @throws when the upgrade is refused */
export async function socketTo(url: string): Promise<SocketClient> {
  const raw = new WebSocket(url.replace(/^http/, 'ws'));
  const messages: string[] = [];
  const arrived = new EventTarget();
  raw.addEventListener('message', ({ data }) => {
    messages.push(String(data));
    arrived.dispatchEvent(new Event('message'));
  });
  const { promise: closed, resolve } = Promise.withResolvers<{ code: number; reason: string }>();
  raw.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
  await new Promise<void>((opened, failed) => {
    raw.addEventListener('open', () => opened());
    raw.addEventListener('error', () => failed(new Error(`no socket at ${url}`)));
  });
  return {
    raw,
    closed,
    send: (text) => raw.send(text as string),
    next: async () => {
      while (messages.length === 0) await once(arrived as never, 'message');
      return messages.shift() ?? '';
    },
    close: () => raw.close(),
  };
}
