import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { LAUNCHER, runGroundwork, type Ended } from '../../tests/cli/run-groundwork.ts';
import { lockDataDir, runningService } from '#platform/db/data-dir-lock.ts';

const IDEA = 'Online appointment booking for dog groomers with text message reminders';

const FAILED = { code: 1, stdout: '' };
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

const folder = mkdtempSync(join(tmpdir(), 'groundwork-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command in a data folder of the tests. With `interruptAt`, sends SIGINT once that stands on standard error. */
const groundwork = (args: string[], options: { env?: Record<string, string>; interruptAt?: string; input?: string } = {}): Promise<Ended> =>
  runGroundwork(args, { folder, ...options, env: { DATA_DIR: join(folder, 'data'), ...options.env } });

type Settings = Record<string, string>;

/** An endpoint that never answers: with its embeddings a research waits at its last stage, with its model at the first that asks one. */
async function silentEndpoint(): Promise<{ embeddings: Settings; model: Settings; close: () => void }> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const address = `http://127.0.0.1:${port}/v1`;
  return {
    embeddings: { EMBEDDINGS_BASE_URL: address, EMBEDDINGS_MODEL: 'silent' },
    model: { LLM_B_BASE_URL: address, LLM_B_MODEL: 'silent' },
    close,
  };
}

/** Keeps the service running on a data folder, as every command then uses it. Gives what stops it. */
async function serving(dataDir: string): Promise<() => Promise<void>> {
  const { PATH = '' } = process.env;
  const env = { PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [LAUNCHER, 'serve'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await vi.waitUntil(() => runningService(dataDir), { timeout: 30_000 });
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}

const headingsOf = (markdown: string): string[] => [...markdown.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '');

const isOneSentence = (stderr: string): void => {
  expect(stderr).toMatch(/^groundwork: [^\n]+[.:!]\n$/);
  expect(stderr).not.toContain('    at ');
};

// Its services bring the embedded database with them, whatever database the other tests are run on.
describe.skipIf(process.env['TEST_DATABASE_URL'] !== undefined)('the command line', () => {
  it.each([
    [['frobnicate'], /There is no command "frobnicate"/],
    [['research', '--frob', 'x'], /There is no option "--frob"/],
    [['research', 'x', '--out'], /"--out" needs a value/],
    [['research'], /Say what the idea is/],
    [['research', 'an', 'app'], /put it in quotes/],
    [['token'], /who the token is for/],
    [['plan'], /Say what the idea is: groundwork plan/],
    [['brief'], /Say which project/],
    [['export'], /Say what to export/],
    [['export', ID], /--pdf FILE/],
    [['export', 'x', '--pdf', 'x.pdf'], /"x" is no id/],
  ])('refuses %j with exit code 2', async (args, sentence) => {
    const { code, stdout, stderr } = await groundwork(args);
    expect(stderr).toMatch(sentence);
    isOneSentence(stderr);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('says how long an idea is that is too long, however it came', async () => {
    const input = 'é'.repeat(144_000);
    for (const [command, given] of [
      ['research', { args: ['-'], input, length: '144000' }],
      ['plan', { args: ['-'], input: `${input}\n`, length: '144000' }],
      ['research', { args: ['x'.repeat(5001)], input: '', length: '5001' }],
      ['research', { args: ['-'], input: 'x'.repeat(12_000_000), length: 'more than 10000000' }],
    ] as const) {
      const { code, stderr } = await groundwork([command, ...given.args], { input: given.input });
      expect({ code, stderr }).toEqual({ code: 2, stderr: `groundwork: The idea has ${given.length} characters; 5000 is the most.\n` });
    }
  });

  it('explains itself', async () => {
    const [overview, research, version] = await Promise.all([groundwork(['--help']), groundwork(['research', '--help']), groundwork(['--version'])]);
    expect(overview.stdout).toContain('projects');
    expect(research.stdout).toContain('--out FILE');
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect([overview.code, research.code, version.code]).toEqual([0, 0, 0]);
  });

  it('ends with exit code 1 and a sentence when the service or the data folder cannot be had', async () => {
    const away = await groundwork(['research', 'an idea', '--url', 'http://127.0.0.1:1']);
    expect(away.code).toBe(1);
    isOneSentence(away.stderr.replace(/^.*…\n/, ''));
    expect(away.stderr).toContain('No service can be reached at http://127.0.0.1:1');

    const taken = join(folder, 'taken');
    mkdirSync(taken);
    const lock = await lockDataDir(taken);
    const inUse = await groundwork(['projects'], { env: { DATA_DIR: taken } });
    lock.release();
    expect(inUse.code).toBe(1);
    expect(inUse.stderr).toContain(`is in use by process ${process.pid}`);
    isOneSentence(inUse.stderr);
  });

  it('prints identity tokens of the embedded provider alone', async () => {
    const made = await groundwork(['token', '--user', 'ada', '--name', 'Ada', '--days', '2'], { env: { DATA_DIR: join(folder, 'keys') } });
    const claims = JSON.parse(Buffer.from(made.stdout.split('.')[1] ?? '', 'base64url').toString()) as {
      sub: string;
      name: string;
      iat: number;
      exp: number;
    };
    expect(claims).toMatchObject({ sub: 'ada', name: 'Ada' });
    expect(claims.exp - claims.iat).toBe(2 * 24 * 60 * 60);
    const refused = await groundwork(['token', '--user', 'ada'], {
      env: { IDENTITY_JWKS_URL: 'https://id.example/jwks', IDENTITY_ISSUER: 'https://id.example' },
    });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('identity provider that is configured (https://id.example/jwks)');
  });

  it('gives a research back on Ctrl-C and goes on with it the next time', { timeout: 60_000 }, async () => {
    const endpoint = await silentEndpoint();
    const stopped = await groundwork(['research', IDEA], { env: endpoint.embeddings, interruptAt: 'Store the report …' });
    endpoint.close();
    expect(stopped.stderr).not.toContain('Store the report: done');
    expect(stopped.stderr).toContain('Stopped. The same command goes on where it was.');
    expect({ code: stopped.code, stdout: stopped.stdout }).toEqual({ code: 130, stdout: '' });
    expect(existsSync(join(folder, 'data', 'service.json'))).toBe(false);
    expect(statSync(join(folder, 'data', 'device-id')).mode & 0o777).toBe(0o600);

    const out = join(folder, 'report.md');
    const resumed = await groundwork(['research', IDEA, '--json', '--out', out]);
    expect(resumed.stderr).toContain(`The report is in ${out}`);
    expect(resumed.code).toBe(0);
    const artifact = JSON.parse(resumed.stdout) as { product_idea: string; evidence: unknown[] };
    expect(artifact.product_idea).toBe(IDEA);
    expect(artifact.evidence.length).toBeGreaterThan(0);
    expect(readFileSync(out, 'utf8')).toContain('\n## Sources\n');

    const again = await groundwork(['research', IDEA]);
    expect(again.stderr).toContain('This idea has been researched before');
    expect(again.stdout).toBe(readFileSync(out, 'utf8'));
  });

  it('leads from an idea to its plan, its brief and their documents', { timeout: 120_000 }, async () => {
    const env = { DATA_DIR: join(folder, 'planned') };
    const researched = await groundwork(['research', IDEA], { env });
    expect(researched.code).toBe(0);
    const endpoint = await silentEndpoint();
    const stopped = await groundwork(['plan', IDEA], { env: { ...env, ...endpoint.model }, interruptAt: 'Analyse each feature …' });
    endpoint.close();
    expect(stopped).toMatchObject({ code: 130, stdout: '' });
    expect(stopped.stderr).toContain('This idea has been researched before');

    const out = join(folder, 'plan.md');
    const planned = await groundwork(['plan', IDEA, '--json', '--out', out], { env });
    expect(planned.stderr).toMatch(/^Take it apart: \d+ parts$/m);
    const plan = JSON.parse(planned.stdout) as { project_id: string; research_id: string; graph: { id: string; nodes: unknown[] } };
    const text = readFileSync(out, 'utf8');
    const roots = text.split(/^- /m).slice(1, plan.graph.nodes.length + 1);
    expect(roots.length).toBeGreaterThan(5);
    for (const root of roots) {
      expect(root).toMatch(/^(?:◆ )?\d+ \*\*.+\*\* \((?:[\d.]+ to [\d.]+ days|to be estimated)/);
      expect(root).toMatch(/\n {2}(?:Needs nothing before it|After \d+)/);
      expect(root).toMatch(/\n {2}Done when: /);
      expect(root).toMatch(/\n {2}Comes from /);
    }
    expect(text.match(/^ *- (?:◆ )?[\d.]+ \*\*/gm)?.length).toBeGreaterThanOrEqual(10);
    expect(headingsOf(text)).toEqual(['Build order rationale', 'Nodes', 'Status', 'Sources']);
    expect(text).toMatch(/^### The longest chain: /m);
    expect(text).toMatch(/^### Side by side: \d+ lanes/m);
    const stop = await serving(env.DATA_DIR);
    const again = await groundwork(['plan', IDEA], { env });
    expect(again.stderr).toContain('has been planned before');
    expect(again.stdout).toBe(text);

    const listed = await groundwork(['projects'], { env });
    expect(listed.stdout.match(new RegExp(plan.project_id, 'g'))).toHaveLength(1);
    const brief = await groundwork(['brief', plan.project_id.slice(0, 8)], { env });
    expect(headingsOf(brief.stdout)).toContain('Market map');
    const briefId = /brief (\S+) in project/.exec(brief.stderr)?.[1] ?? '';
    for (const id of [plan.research_id, plan.graph.id, briefId]) {
      const pdf = join(folder, `${id}.pdf`);
      expect(await groundwork(['export', id, '--pdf', pdf], { env })).toMatchObject({ code: 0, stdout: '' });
      expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-');
    }
    await stop();
  });

  it('says which project, document or idea leads nowhere', { timeout: 60_000 }, async () => {
    const env = { DATA_DIR: join(folder, 'empty') };
    const stop = await serving(env.DATA_DIR);
    const brief = await groundwork(['brief', 'groomers'], { env });
    expect(brief.stderr).toContain('groundwork: There is no project "groomers"');
    const missing = await groundwork(['export', ID, '--pdf', join(folder, 'missing.pdf')], { env });
    expect(missing.stderr).toContain(`There is no research, plan or brief with the id ${ID}.`);
    expect(existsSync(join(folder, 'missing.pdf'))).toBe(false);
    const nothing = await groundwork(['plan', 'asdf'], { env });
    expect(nothing.stderr).toContain('does not describe a product idea');
    expect([brief, missing, nothing].map(({ code, stdout }) => ({ code, stdout }))).toEqual([FAILED, FAILED, FAILED]);
    await stop();
  });
});
