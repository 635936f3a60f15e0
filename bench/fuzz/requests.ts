import { METHODS } from 'node:http';
import type { Caller } from './callers.ts';
import type { Exchange } from './exchange.ts';
import { letters, longText, oddJson, oddNumberText, oddText } from './odd-values.ts';
import type { Schema } from '../../tests/contract/json-schema.ts';
import type { Operation, Parameter } from './operations.ts';
import { uuidFrom, type Random } from './random.ts';
import { mutated, validValue, type Making } from './values.ts';

/** What requests are made out of. */
export type Material = { random: Random; operations: readonly Operation[]; oddTokens: readonly string[]; callers: readonly Caller[] };

export type Head = { name: string; value: string };

/** A whole request to one of the operations, with something odd in most. */
export function newRequest(material: Material, operation = material.random.pick(material.operations)): Exchange {
  const { random, callers } = material;
  const caller = random.pick(callers);
  const family = operation.path.split('/')[1] ?? '';
  const making: Making = { random, caller, family };
  // Most have one odd part: a request that is wrong in all of them gets no further than the first check.
  const odd = random.pick(['none', 'path', 'query', 'headers', 'body', 'body', 'body', 'token', 'method', 'all']);
  const isOdd = (part: string): boolean => odd === part || (odd === 'all' && random.chance(0.5));
  const method = isOdd('method') ? random.pick(METHODS.filter((other) => other !== 'CONNECT')) : operation.method;
  const target = pathOf(operation, making, isOdd('path')) + queryOf(operation, making, isOdd('query'));
  const token = isOdd('token') ? random.pick(material.oddTokens) : caller.token;
  const withToken = operation.needsToken ? !isOdd('token') || random.chance(0.9) : random.chance(0.1);
  const body = bodyOf(operation, making, isOdd('body'));
  const heads: Head[] = [
    { name: 'Host', value: 'localhost' },
    ...(withToken ? [{ name: 'Authorization', value: `Bearer ${token}` }] : []),
    ...(body ? contentHeads(body, random, isOdd('headers')) : []),
    ...(isOdd('headers') ? oddHeads(random) : []),
  ];
  return {
    name: method === operation.method ? operation.name : 'another method',
    bytes: Buffer.concat([Buffer.from(headText(method, target, heads), 'latin1'), body ?? Buffer.alloc(0)]),
    kind: operation.streams && method === 'GET' ? 'stream' : 'answered',
    method,
    stated: operation.stated,
    learns: { caller, family },
    ...(method === 'DELETE' && operation.path === '/auth/session' ? { signsOut: caller } : {}),
  };
}

export const headText = (method: string, target: string, heads: readonly Head[]): string =>
  `${method} ${target} HTTP/1.1\r\n${heads.map(({ name, value }) => `${name}: ${value}\r\n`).join('')}\r\n`;

function pathOf({ path, parameters }: Operation, making: Making, odd: boolean): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return odd ? oddSegment(making) : encodeURIComponent(String(validSegment(parameter, name, making)).toWellFormed());
  });
  return odd && making.random.chance(0.2)
    ? making.random.pick([`${filled}/`, `/${filled}`, `${filled}//x`, filled.toUpperCase(), `${filled};a=b`, `${filled}/..`])
    : filled;
}

function validSegment(parameter: Parameter | undefined, name: string, making: Making): unknown {
  const schema: Schema = parameter?.schema ?? {};
  if (schema.enum) return making.random.pick(schema.enum);
  return making.caller.idFor(making.family, name, making.random) ?? (schema.format === 'uuid' ? uuidFrom(making.random) : letters(making.random, 20));
}

function oddSegment({ random, caller, family }: Making): string {
  const known = caller.idFor(family, 'id', random) ?? uuidFrom(random);
  return random.pick([
    encodeURIComponent(oddText(random).toWellFormed()).slice(0, 12_000),
    letters(random, random.pick([1, 36, 199, 200, 201, 499, 500, 501, 502, 4000])),
    '%61'.repeat(random.pick([1, 166, 167, 501])),
    random.pick(['%00', '%', '%z', '%zz', '%c3%28', '%ff', '%ed%a0%80', '%u0041', '%2f', '%2e%2e', '..', '.', '%25', '%0d%0aX: y', '*', '%7f']),
    `${known}%00`,
    known.toUpperCase(),
    known.slice(1),
    `{${known}}`,
  ]);
}

function queryOf({ parameters }: Operation, making: Making, odd: boolean): string {
  const { random } = making;
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || random.chance(0.7)))
    .map(({ name, schema }) => [name, odd ? oddNumberText(random) : String(validValue(schema, making, name))] as const);
  if (odd && random.chance(0.3)) pairs.push([oddText(random), oddText(random)]);
  const [first] = pairs;
  if (odd && first && random.chance(0.2)) pairs.push(first);
  const texts = pairs.map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`);
  if (odd && random.chance(0.2))
    texts.push(random.pick(['&&&', '=', '%', '%00', 'limit[]=1', 'limit[a]=1', '__proto__[x]=1', 'a=b'.repeat(800), '?', '%ff=%ff']));
  return texts.length > 0 ? `?${texts.join('&').slice(0, 12_000)}` : '';
}

function bodyOf({ body, method }: Operation, making: Making, odd: boolean): Buffer | undefined {
  const { random } = making;
  if (!body) return odd && method !== 'GET' ? Buffer.from(JSON.stringify(oddJson(random))) : undefined;
  const valid = validValue(body, making);
  if (!odd) return Buffer.from(JSON.stringify(valid));
  if (random.chance(0.7)) return Buffer.from(JSON.stringify(mutated(valid, body, making)));
  return oddBytes(JSON.stringify(valid), random);
}

/** A body that is no JSON, or JSON as nobody writes it. */
function oddBytes(json: string, random: Random): Buffer {
  const cut = random.int(json.length + 1);
  return random.pick<() => Buffer>([
    () => Buffer.from(json.slice(0, cut)),
    () => Buffer.from(`${json.slice(0, cut)}\0${json.slice(cut)}`),
    () => Buffer.concat([Buffer.from(json.slice(0, cut)), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(json.slice(cut))]),
    () => Buffer.from(json, 'utf16le'),
    () => Buffer.from(`\ufeff${json}`),
    () => Buffer.from(`${json}${json}`),
    () => Buffer.from(json.replace(/"([^"]*)"\s*:/, String.raw`"\u0000\ud800":"\ud83d","__proto__":{"admin":true},"constructor":1,"$1":`)),
    () => Buffer.from(json.replace(/:\s*"[^"]*"/, String.raw`:"a\u0000b\ud83d"`)),
    () =>
      Buffer.from(
        json.replace(
          /:\s*[^,}]*/,
          `:${random.pick(['1e400', '-1e400', 'NaN', 'Infinity', '-0', '01', '0x1', "'x'", 'undefined', '1'.repeat(5000)])}`,
        ),
      ),
    () => Buffer.from(`${'['.repeat(random.pick([64, 65, 7000, 100_000]))}`),
    () => Buffer.from(`{"a":${'{"a":'.repeat(7000)}1${'}'.repeat(7001)}`),
    () => Buffer.from(longText(random, 30_000)),
    () => Buffer.alloc(random.pick([0, 1, 1000])),
  ])();
}

function contentHeads(body: Buffer, random: Random, odd: boolean): Head[] {
  const type = odd
    ? random.pick([
        'text/plain',
        'application/json; charset=utf-16',
        'application/json;;;',
        'multipart/form-data',
        'application/xml',
        '',
        'APPLICATION/JSON',
        'application/jsonx',
        'a'.repeat(9000),
      ])
    : 'application/json';
  const heads = [{ name: 'Content-Length', value: String(body.length) }];
  return odd && random.chance(0.2) ? heads : [{ name: 'Content-Type', value: type }, ...heads];
}

/** Headers that a parser lets through and that something behind it may not bear. */
function oddHeads(random: Random): Head[] {
  const long = random.pick([100, 3000, 6000, 10_000]);
  const text = random.pick([
    letters(random, Math.min(long, 4000)),
    'ÿ'.repeat(long),
    '1.2.3.4, '.repeat(long / 10),
    ',;="\\'.repeat(30),
    '',
    '0',
    '-1',
    '__proto__',
    '*/*;q=nan',
  ]);
  const names = [
    'X-Forwarded-For',
    'X-Forwarded-Proto',
    'X-Forwarded-Host',
    'Forwarded',
    'X-Request-ID',
    'Idempotency-Key',
    'Idempotency-Key',
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'If-None-Match',
    'If-Modified-Since',
    'Range',
    'Cookie',
    'Origin',
    'Referer',
    'User-Agent',
    'Expect',
    'Upgrade',
    'TE',
    'Via',
    '__proto__',
    'constructor',
    'Content-Encoding',
    'X-HTTP-Method-Override',
    'Accept-Version',
    'Authorization',
    'Access-Control-Request-Method',
    'traceparent',
    'Date',
    'Host',
  ];
  const count = random.pick([1, 1, 2, 20]);
  return Array.from({ length: count }, () => ({ name: random.pick(names), value: count > 2 ? text.slice(0, 300) : text }));
}
