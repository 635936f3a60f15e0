// Writes tests/acceptance/COVERAGE.md from the titles of the tests: `node tests/contract/coverage.ts`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const COVERAGE_FILE = join(root, 'tests/acceptance/COVERAGE.md');

/** The requirements of the families that the acceptance suite covers. */
const LAST = 330;

export type Proof = { requirement: string; title: string; file: string; fails: boolean };

/** Everything that a test title claims to prove, in the order of files and titles. */
export function readProofs(): Proof[] {
  return ['src', 'tests']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, String(name))))
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('coverage.test.ts'))
    .sort()
    .flatMap((file) => proofsOf(readFileSync(file, 'utf8'), relative(root, file)));
}

/** The claims of one file: titles that end in requirement numbers, such as `'answers 409 … [R034 R269]'`. */
export function proofsOf(source: string, file: string): Proof[] {
  return [...source.matchAll(/(['`])((?:\\.|(?!\1)[^\n])*?) \[((?:R\d{3,4} ?)+)\]\1/g)].flatMap((match) => {
    const [, , title = '', numbers = ''] = match;
    const callee = [...source.slice(0, match.index).matchAll(/\b(?:it|describe)((?:\.\w+)*)\(/g)].at(-1)?.[0] ?? '';
    const fails = callee.includes('.fails');
    return numbers.split(' ').map((requirement) => ({ requirement, title: title.replaceAll("\\'", "'"), file, fails }));
  });
}

/** Requirements and the tests that prove them; what no test proves is listed at the end. */
export function coverageList(proofs: readonly Proof[]): string {
  const numbers = Array.from({ length: LAST }, (_each, index) => `R${String(index + 1).padStart(3, '0')}`);
  const rows = numbers.flatMap((number) => {
    const own = proofs.filter(({ requirement }) => requirement === number);
    return own.length > 0 ? [`- ${number}`, ...new Set(own.map((proof) => `  - ${textOf(proof)}`))] : [];
  });
  const later = [...new Set(proofs.map(({ requirement }) => requirement))].filter((number) => !numbers.includes(number)).sort();
  const open = numbers.filter((number) => !proofs.some(({ requirement, fails }) => requirement === number && !fails));
  return [
    '# What the tests prove',
    '',
    'Made by `node tests/contract/coverage.ts` from the titles of the tests; a title ends in the numbers of the requirements it proves.',
    `Proven: ${numbers.length - open.length} of R001 to R${LAST}${later.length > 0 ? `, and ${later.length} later ones` : ''}.`,
    '',
    ...rows,
    '',
    `Not proven by a test that passes: ${open.join(', ')}.`,
    '',
  ].join('\n');
}

const textOf = ({ title, file, fails }: Proof): string => `${title} (\`${file}\`${fails ? ', fails for now' : ''})`;

if (process.argv[1] === import.meta.filename) {
  const list = coverageList(readProofs());
  writeFileSync(COVERAGE_FILE, list);
  process.stdout.write(`${list.split('\n')[3] ?? ''}\n`);
}
