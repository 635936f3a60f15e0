import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LAUNCHER } from '../../tests/cli/run-groundwork.ts';

const SERVICE = fileURLToPath(new URL('../main.mjs', import.meta.url));

/** Runs a script on this Node, which passes itself off as another one to it; not to what that starts. */
function on(pretended: { version?: string; platform?: string; arch?: string }, script: string, ...args: string[]) {
  const { version, ...machine } = pretended;
  const set = Object.entries(machine).map(([name, value]) => `Object.defineProperty(process, '${name}', { value: '${value}' });`);
  if (version) set.push(`Object.defineProperty(process.versions, 'node', { value: '${version}' });`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(set.join(''))}`, script, ...args],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '' },
    },
  );
  return { status, stdout, stderr };
}

const OLD = { version: '20.0.0' };
const ELSEWHERE = { ...OLD, platform: 'freebsd', arch: 'riscv64' };

describe('on an older Node', () => {
  it('the command line runs on the Node that comes along', () => {
    expect(on(OLD, LAUNCHER, '--version')).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
    expect(on(OLD, LAUNCHER, 'frobnicate').status).toBe(2);
  });

  it('the service says how it is started on that one', () => {
    expect(on(OLD, SERVICE)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Groundwork runs on Node\.js 26 or later; this is 20\.0\.0\. "npm start" in \S+ uses one that is installed there\.\n$/,
      ),
    });
  });

  it.each([LAUNCHER, SERVICE])('%s says so where none comes along', (script) => {
    expect(on(ELSEWHERE, script)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Groundwork runs on Node.js 26 or later; this is 20.0.0. None comes along for freebsd on riscv64: install one and try again.\n',
    });
  });
});

describe('on a new enough Node', () => {
  it('the command line runs on it, whatever comes along', () => {
    expect(on({ platform: 'freebsd', arch: 'riscv64' }, LAUNCHER, '--version')).toMatchObject({ status: 0, stderr: '' });
  });
});
