import { ideaOf } from '../parts/ideas.ts';
import type { Random } from './random.ts';

/** Short texts that something along the way may take for something else. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\n\r\t\v',
  '\ud83d',
  'half \ude00 of a pair',
  '\ufeffmark',
  '\u202eright to left\u202c',
  'مشروع لإدارة المخزون',
  '日本語の買い物リスト',
  'e\u0301'.repeat(40),
  'Z\u0351\u036e\u0342\u0304a\u0334\u031bl\u0321g\u0340o',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'constructor',
  '__proto__',
  'hasOwnProperty toString valueOf',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0',
  '1e400',
  '0x10',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  "'; drop table users; --",
  '$1 $2 %s %n {{7*7}} ${7*7}',
  '%00 %ff %2e%2e/',
  '../../../../etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  '<script>alert(1)</script>',
  'a\\',
  '"',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '2024-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2020-01-01T00:00:00+14:00',
];

const PIECES: readonly string[] = [
  'a',
  '\n',
  '  ',
  '.',
  '👍',
  'ß',
  '\u0300',
  '\u200b',
  '漢',
  'Buchhaltung',
  'constructor ',
  'app for app for ',
  '1 ',
  '"',
  '[',
  '<b>',
  'https://example.org/?q=1 ',
  '- \n',
  '(',
];

const LENGTHS: readonly number[] = [1, 2, 3, 4, 5, 63, 64, 65, 199, 200, 201, 255, 256, 499, 500, 501, 1000, 4999, 5000, 5001, 8000, 20_000];

export const oddText = (random: Random): string => (random.chance(0.7) ? random.pick(TEXTS) : longText(random, random.pick(LENGTHS)));

/** A text of exactly so many UTF-16 units out of one repeated piece, or out of letters without a space. */
export function longText(random: Random, length: number): string {
  const piece = random.chance(0.8) ? random.pick(PIECES) : letters(random, 1 + random.int(60));
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

export const letters = (random: Random, length: number): string => Array.from({ length }, () => String.fromCharCode(97 + random.int(26))).join('');

export const plainText = (random: Random): string => (random.chance(0.5) ? ideaOf(random.int(1_000_000)) : letters(random, 3 + random.int(12)));

const NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.5,
  1e-320,
  100,
  101,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e15,
  1e300,
];

export const oddNumber = (random: Random): number => random.pick(NUMBERS);

/** How a number may stand in a query string. */
export const oddNumberText = (random: Random): string =>
  random.chance(0.5)
    ? String(oddNumber(random))
    : random.pick(['', ' ', 'NaN', 'Infinity', '1e3', '0x1', '+1', '1.0', '1,2', '٣', '١٢', '00001', '1'.repeat(400), oddText(random)]);

/** Any JSON, mostly of the wrong kind. */
export function oddJson(random: Random, depth = 0): unknown {
  switch (random.int(depth > 3 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return oddNumber(random);
    case 3:
    case 4:
      return oddText(random);
    case 5:
      return Array.from({ length: random.pick([0, 1, 3, 120]) }, () => oddJson(random, depth + 2));
    case 6:
      return Object.fromEntries(Array.from({ length: random.int(4) }, () => [oddText(random), oddJson(random, depth + 1)]));
    default:
      return nested(random.pick([10, 60, 64, 70, 500]));
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
