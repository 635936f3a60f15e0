import { connect, constants, type ClientHttp2Session } from 'node:http2';

export type LineAnswer = { status: number; header(name: string): string | undefined; body: string };

/** The connection went, or the stream on it, before there was an answer. */
export class LineBroken extends Error {
  override name = 'LineBroken';
}

/** One connection to an origin, opened when it is needed and used for everything until it goes. */
export type Line = {
  /** @throws LineBroken, the signal's reason */
  post(path: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<LineAnswer>;
  /** The next request goes over another connection; those under way end on this one. */
  renew(): void;
  close(): void;
};

const ANSWER_MS = 30_000;
const IDLE_MS = 30 * 60_000;
/** Answers are a reason in JSON. */
const MOST_CHARACTERS = 16_384;

/** @param origin `https:`, or `http:` in clear text (RFC 9113, 3.3) */
export function openLine(origin: string): Line {
  const open = new Set<ClientHttp2Session>();
  let current: ClientHttp2Session | undefined;
  const drop = (session: ClientHttp2Session): void => {
    if (current === session) current = undefined;
  };
  const session = (): ClientHttp2Session => {
    if (current && !current.closed && !current.destroyed) return current;
    const opened = connect(origin);
    current = opened;
    open.add(opened);
    // Each stream on it hears of it too.
    opened.on('error', () => drop(opened));
    opened.on('goaway', () => drop(opened));
    opened.on('close', () => {
      drop(opened);
      open.delete(opened);
    });
    opened.setTimeout(IDLE_MS, () => opened.close());
    return opened;
  };
  return {
    post: async (path, headers, body, signal) => {
      signal.throwIfAborted();
      const on = session();
      try {
        return await exchange(on, { ':method': 'POST', ':path': path, ...headers }, body, signal);
      } catch (error) {
        // A connection that answers nothing any more may be one whose other end is gone.
        if (error instanceof LineBroken) drop(on);
        signal.throwIfAborted();
        throw error;
      }
    },
    renew: () => {
      const old = current;
      current = undefined;
      old?.close();
    },
    close: () => {
      for (const each of open) each.destroy();
    },
  };
}

function exchange(session: ClientHttp2Session, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<LineAnswer> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    let answered: Omit<LineAnswer, 'body'> | undefined;
    let text = '';
    const stream = openStream(session, headers);
    const cancel = (): void => stream.close(constants.NGHTTP2_CANCEL);
    signal.addEventListener('abort', cancel, { once: true });
    stream.setEncoding('utf8');
    stream.setTimeout(ANSWER_MS, cancel);
    stream.on('response', (received) => {
      const header = (name: string): string | undefined => {
        const value = received[name];
        return Array.isArray(value) ? value.join(', ') : value;
      };
      answered = { status: Number(received[':status']), header };
    });
    stream.on('data', (part: string) => {
      if (text.length < MOST_CHARACTERS) text += part;
    });
    stream.on('error', (error) => (failure = error));
    // A stream that is dropped ends like any other, without a status.
    stream.on('close', () => {
      signal.removeEventListener('abort', cancel);
      if (answered && stream.rstCode === constants.NGHTTP2_NO_ERROR) resolve({ ...answered, body: text });
      else reject(new LineBroken('the connection broke off', { cause: failure }));
    });
    stream.end(body);
  });
}

function openStream(session: ClientHttp2Session, headers: Record<string, string>) {
  try {
    return session.request(headers);
  } catch (error) {
    throw new LineBroken('the connection is closing', { cause: error });
  }
}
