import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';

/** What one push meets: an answer, a stream that is dropped, a connection that ends at once or after what is under way. */
type Answered = { status: number; reason?: string; timestamp?: number; retryAfter?: string } | 'drop' | 'destroy' | 'goaway';

type SeenPush = { token: string; headers: IncomingHttpHeaders; bearer: string; body: Record<string, unknown>; session: number };

export type PushServer = AsyncDisposable & {
  /** What `PUSH_BASE_URL`, `PUSH_KEY` and the others are, so that pushes come here. */
  env: Record<string, string>;
  pushes: SeenPush[];
  /** Connections accepted so far. */
  sessions(): number;
  /** What the next pushes to a device meet, in order; those after the last get 200. */
  answer(token: string, ...answers: Answered[]): void;
  /** Refuses the provider token of every push so far. */
  expireTokens(): void;
  close(): Promise<void>;
};

const [KEY_ID, TEAM_ID, TOPIC] = ['KEY1234567', 'TEAM123456', 'com.example.groundwork'];

/** Apple's push service on a free port of 127.0.0.1: HTTP/2 in clear text, with tokens that are verified. */
export async function openPushServer(): Promise<PushServer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pushes: SeenPush[] = [];
  const scripts = new Map<string, Answered[]>();
  const expired = new Set<string>();
  const open = new Set<ServerHttp2Session>();
  let accepted = 0;
  const server = createServer();
  server.on('session', (session) => {
    accepted += 1;
    const number = accepted;
    open.add(session);
    session.on('close', () => open.delete(session));
    session.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      void receive(stream, headers, number, session);
    });
  });

  const receive = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, number: number, session: ServerHttp2Session): Promise<void> => {
    let text = '';
    for await (const part of stream.setEncoding('utf8')) text += String(part);
    const token = decodeURIComponent(String(headers[':path']).replace('/3/device/', ''));
    const bearer = String(headers.authorization).replace(/^bearer /, '');
    const refusal = expired.has(bearer) ? 'ExpiredProviderToken' : (await isSigned(bearer, publicKey)) ? null : 'InvalidProviderToken';
    pushes.push({ token, headers, bearer, body: JSON.parse(text) as Record<string, unknown>, session: number });
    if (refusal) return respond(stream, { status: 403, reason: refusal });
    const next = scripts.get(token)?.shift() ?? { status: 200 };
    if (next === 'drop') return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    if (next === 'destroy') return session.destroy();
    if (next === 'goaway') session.goaway(constants.NGHTTP2_NO_ERROR, stream.id ?? 0);
    respond(stream, next === 'goaway' ? { status: 200 } : next);
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    for (const session of open) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    env: {
      PUSH_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PUSH_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      PUSH_KEY_ID: KEY_ID,
      PUSH_TEAM_ID: TEAM_ID,
      PUSH_TOPIC: TOPIC,
    },
    pushes,
    sessions: () => accepted,
    answer: (token, ...answers) => scripts.set(token, answers),
    expireTokens: () => {
      for (const { bearer } of pushes) expired.add(bearer);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function isSigned(bearer: string, key: KeyObject): Promise<boolean> {
  try {
    const { protectedHeader, payload } = await jwtVerify(bearer, key, { algorithms: ['ES256'], issuer: TEAM_ID });
    return protectedHeader.kid === KEY_ID && Math.abs(Number(payload.iat) - Date.now() / 1000) < 3600;
  } catch {
    return false;
  }
}

function respond(stream: ServerHttp2Stream, { status, reason, timestamp, retryAfter }: Exclude<Answered, string>): void {
  if (stream.destroyed) return;
  stream.respond({ ':status': status, ...(retryAfter ? { 'retry-after': retryAfter } : {}) });
  stream.end(reason ? JSON.stringify({ reason, ...(timestamp === undefined ? {} : { timestamp }) }) : '');
}
