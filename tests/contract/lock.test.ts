import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Package = Partial<Record<'version' | 'integrity' | 'resolved' | 'os' | 'cpu', string>> & {
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  engines?: Record<string, string>;
  bin?: Record<string, string>;
};

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const { '': root, ...packages } = (read('package-lock.json') as { packages: Record<string, Package> }).packages;
const namesWhere = (fits: (found: Package) => boolean): string[] => Object.keys(packages).filter((name) => fits(packages[name] ?? {}));

/** npm checks engines against the Node that runs npm, while everything here runs on the Node that is pinned below. */
describe('the lock, which "npm run lock" keeps so', () => {
  it('names no engines but the own ones, so that an older Node installs without warnings', () => {
    expect(root?.engines).toEqual({ node: '>=20' });
    expect(namesWhere(({ engines }) => engines !== undefined)).toEqual([]);
  });

  it('names no registry, and no package that runs a script while it is installed', () => {
    expect(namesWhere(({ resolved }) => resolved !== undefined)).toEqual([]);
    expect(namesWhere(({ hasInstallScript }) => hasInstallScript === true)).toEqual([]);
  });

  it('knows the content of every package that a running service may load', () => {
    expect(namesWhere(({ dev, integrity }) => !dev && !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  it('pins one Node per platform, by its content', () => {
    const pinned = namesWhere(({ bin }) => bin?.['node'] !== undefined).map((name) => packages[name]);
    expect(pinned.map((found) => `${found?.os} ${found?.cpu}`).sort()).toEqual([
      'darwin arm64',
      'darwin x64',
      'linux arm64',
      'linux x64',
      'win32 x64',
    ]);
    expect(new Set(pinned.map((found) => found?.version)).size).toBe(1);
    expect(pinned.every((found) => found?.optional)).toBe(true);
    expect(read('package.json')).not.toHaveProperty('allowScripts');
  });
});
