import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const documents = ['README.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CONTRIBUTING.md']
  .map((name) => join(root, name))
  .concat(existsSync(join(root, 'docs')) ? readdirSync(join(root, 'docs'), { recursive: true }).map((name) => join(root, 'docs', String(name))) : [])
  .filter((file) => file.endsWith('.md') && existsSync(file));

/** Where a path of this repository begins. */
const FOLDERS = new Set(['src', 'tests', 'scripts', 'bench', 'bin', 'migrations', 'docs', '.ci', '.github']);

/** Paths that a document cites: in code spans, and as relative links. */
function citedPaths(markdown: string): { path: string; linked: boolean }[] {
  const spans = [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => ({ path: text.split(/[\s(:#]/)[0] ?? '', linked: false }));
  const links = [...markdown.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, path = '']) => ({ path, linked: true }));
  return [...spans.filter(({ path }) => FOLDERS.has(path.split('/')[0] ?? '') && path.includes('/')), ...links.filter(isRelative)];
}

const isRelative = ({ path }: { path: string }): boolean => !/^(?:[a-z]+:|\/|\{)/i.test(path);

/** A path stands for itself; `{a,b}`, `*` and `<name>` stand for what there may be, so only what is before them must exist. */
function fixedPart(path: string): string {
  const place = path.search(/[*<{…]/);
  return place < 0 ? path : dirname(`${path.slice(0, place)}x`);
}

const exists = (path: string, linked: boolean, from: string): boolean => existsSync(resolve(linked ? dirname(from) : root, fixedPart(path)));

describe('paths that the documents cite', () => {
  it('are found in code spans and links, and nothing else is taken for one', () => {
    const text =
      'See `src/main.ts`, `npm test`, `src/features/<name>/index.ts`, `POST /research`, [map](docs/map.md#top), [site](https://example.org).';
    expect(citedPaths(text).map(({ path }) => path)).toEqual(['src/main.ts', 'src/features/<name>/index.ts', 'docs/map.md']);
    expect(fixedPart('src/features/<name>/index.ts')).toBe('src/features');
    expect(fixedPart('src/{app,cli}/x.ts')).toBe('src');
    expect(exists('src/no-such-file.ts', false, join(root, 'README.md'))).toBe(false);
  });

  it('exist', () => {
    const broken = documents.flatMap((file) =>
      citedPaths(readFileSync(file, 'utf8'))
        .filter(({ path, linked }) => !exists(path, linked, file))
        .map(({ path }) => `${relative(root, file)}: ${path}`),
    );
    expect(broken).toEqual([]);
  });
});
