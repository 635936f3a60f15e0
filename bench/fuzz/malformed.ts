import type { Exchange } from './exchange.ts';
import { letters, oddText } from './odd-values.ts';
import { headText, newRequest, type Material } from './requests.ts';

const NONE: ReadonlySet<number> = new Set();
const HOST = { name: 'Host', value: 'localhost' };
const JSON_TYPE = { name: 'Content-Type', value: 'application/json' };
const POST = 'POST /auth/anonymous HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

/** Each kind of what breaks the protocol itself, or the patience of a server. */
const KINDS: Readonly<Record<string, (material: Material) => string | Buffer>> = {
  'random bytes': ({ random }) => Buffer.from(Array.from({ length: 1 + random.int(400) }, () => random.int(256))),
  'bad request line': ({ random }) =>
    `${random.pick(['GET', 'GET /', 'get / HTTP/1.1', 'GET  / HTTP/1.1', 'GET / HTTP/9.9', 'GET / HTTP/1.2', 'GET /\0 HTTP/1.1', 'GET / HTTP/1.1 x', ' GET / HTTP/1.1', 'PRI * HTTP/2.0', 'GET http://[::1 HTTP/1.1', 'GET /a b HTTP/1.1', '\x16\x03\x01\x02'])}\r\nHost: x\r\n\r\n`,
  connect: ({ random }) => `CONNECT ${random.pick(['a:1', '/', '*', 'localhost:8080'])} HTTP/1.1\r\nHost: x\r\n\r\nmore`,
  'unknown method': ({ random }) => `${letters(random, 1 + random.int(12)).toUpperCase()} / HTTP/1.1\r\nHost: x\r\n\r\n`,
  'long target': ({ random }) => headText('GET', `/${letters(random, 5000).repeat(random.pick([3, 4, 20]))}`, [HOST]),
  'bad header': ({ random }) =>
    `GET /version HTTP/1.1\r\nHost: x\r\n${random.pick(['no colon', 'X : space', 'X\0: nul', 'X: a\0b', ': empty', 'X: a\rb', ' folded: x', 'X: a\r\n folded', '\u00ff: x', 'Content-Length: x', 'Content-Length: -1', 'Content-Length: 1\r\nContent-Length: 2', 'Content-Length: 99999999999999999999', 'Transfer-Encoding: x', 'Transfer-Encoding: chunked, chunked', 'Transfer-Encoding: chunked\r\nContent-Length: 4', 'Expect: odd', 'Connection: \0'])}\r\n\r\n`,
  'no host': () => 'GET /version HTTP/1.1\r\n\r\n',
  'large headers': ({ random }) =>
    headText('GET', '/version', [
      HOST,
      ...Array.from({ length: random.pick([2, 1000, 3000]) }, (_each, index) => ({ name: `X-${index}`, value: 'x'.repeat(9000 / (1 + index)) })),
    ]),
  'bad chunk': ({ random }) =>
    `${POST}Transfer-Encoding: chunked\r\n\r\n${random.pick(['zz\r\n{}\r\n0\r\n\r\n', '-1\r\n', 'ffffffffffffffffff\r\n', '2\r\n{}0\r\n\r\n', '2;'.padEnd(20_000, 'x'), '2\r\n{}\r\n0\r\nbad trailer\r\n\r\n', '\r\n\r\n', '5\r\n{}\r\n'])}`,
  upgrade: () => 'GET /version HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n',
  'too many at once': ({ random }) =>
    headText('GET', random.pick(['/openapi.json', '/docs', '/version', '/status', '/nowhere', '/%zz']), [HOST]).repeat(random.pick([17, 40, 1200])),
  'large body': ({ random }) => `${POST}Content-Length: 3000000\r\n\r\n${'x'.repeat(random.pick([70_000, 3_000_000]))}`,
};

const NAMES = Object.keys(KINDS);

/** Something that is no request, or too many. */
export function newMalformed(material: Material): Exchange {
  const name = material.random.pick(NAMES);
  const made = KINDS[name]?.(material) ?? '';
  return { name, bytes: typeof made === 'string' ? Buffer.from(made, 'latin1') : made, kind: 'refused', method: 'GET', stated: NONE };
}

/** A request of which only a part is sent before the client ends its side, or leaves. */
export function newPart(material: Material): Exchange {
  const { random } = material;
  const whole = newRequest(material);
  const bytes = whole.bytes.subarray(0, random.int(whole.bytes.length));
  return { ...whole, name: 'a part of a request', bytes, kind: random.chance(0.3) ? 'left' : 'refused' };
}

/** A whole request whose client leaves before the answer. */
export const newLeaving = (material: Material): Exchange => ({ ...newRequest(material), name: 'a client that leaves', kind: 'left' });

/** A whole request in chunks of one byte to a few, with extensions and trailers. */
export function newChunked({ random, callers }: Material): Exchange {
  const caller = random.pick(callers);
  const json = Buffer.from(JSON.stringify({ device_id: oddText(random).slice(0, 300) }));
  const chunks: Buffer[] = [];
  for (let at = 0; at < json.length;) {
    const chunk = json.subarray(at, at + 1 + random.int(20));
    chunks.push(Buffer.from(`${chunk.length.toString(16)}${random.chance(0.2) ? ';ext=1' : ''}\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  const head = headText('POST', '/auth/anonymous', [HOST, JSON_TYPE, { name: 'Transfer-Encoding', value: 'chunked' }]);
  const end = random.chance(0.2) ? '0\r\nX-Trailer: a\r\n\r\n' : '0\r\n\r\n';
  return {
    name: 'chunked',
    bytes: Buffer.concat([Buffer.from(head), ...chunks, Buffer.from(end)]),
    kind: 'answered',
    method: 'POST',
    stated: NONE,
    learns: { caller, family: 'auth' },
  };
}

/** What is sent next, by how much there is to find in it. */
export function newExchange(material: Material): Exchange {
  const draw = material.random.int(100);
  if (draw < 5) return newMalformed(material);
  if (draw < 7) return newPart(material);
  if (draw < 9) return newLeaving(material);
  if (draw < 11) return newChunked(material);
  return newRequest(material);
}
