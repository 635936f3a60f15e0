import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runGroundwork, type Ended } from '../../tests/cli/run-groundwork.ts';
import { startTestApp } from '#testing/app.ts';

const IDEA = 'A shared grocery list that learns what a household runs out of';
const NOWHERE = '0f8fad5b-d9cb-469f-a165-70867728950e';

const app = await startTestApp();
const folder = mkdtempSync(join(tmpdir(), 'groundwork-projects-'));
afterAll(async () => {
  await app.dispose();
  rmSync(folder, { recursive: true, force: true });
});

type Listed = { project_id: string; short_title: string; state: string; research_count: number };

/** The command line of a new user of the service: a user is known by the data folder. */
function newUser() {
  const env = { GROUNDWORK_URL: app.url, DATA_DIR: mkdtempSync(join(folder, 'user-')) };
  const run = (...args: string[]): Promise<Ended> => runGroundwork(args, { folder, env });
  const list = async () => JSON.parse((await run('projects', '--json')).stdout) as Listed[];
  const research = async (idea: string) => {
    const { stdout, stderr } = await run('research', idea);
    const [, researchId = '', projectId = ''] = /Kept as research (\S+) in project (\S+)/.exec(stderr) ?? [];
    return { title: /^# (.+)$/m.exec(stdout)?.[1] ?? '', researchId, projectId };
  };
  return { run, list, research };
}

const answer = async (link: string): Promise<number> => (await fetch(app.url + new URL(link.trim()).pathname, { redirect: 'error' })).status;

it('has every command in the README', async () => {
  const named = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
  const { stdout } = await newUser().run('--help');
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(named(readme, /^\| `groundwork (\w+)/gm)).toEqual(named(stdout, /^ {2}(\w+) {2,}\S/gm));
});

describe('the projects of a user', () => {
  it('are listed under the titles of their reports, as a table and as data', async () => {
    const { run, list, research } = newUser();
    expect(await run('projects', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    const { title, projectId } = await research(IDEA);
    expect(await list()).toMatchObject([{ project_id: projectId, short_title: title, state: 'ready', research_count: 1, graph_count: 0 }]);
    const table = await run('projects');
    expect(table.stdout).toMatch(new RegExp(`^Project .*\\n${title}  +ready  .*  ${projectId}  A shared`));
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it('are deleted by id, by its beginning and by title, and only when that is wanted', async () => {
    const { run, list, research } = newUser();
    const { title, projectId: first } = await research(IDEA);
    const unsure = await run('projects', 'delete', first);
    expect(unsure).toMatchObject({ code: 2, stdout: '' });
    expect(unsure.stderr).toContain('--yes');
    expect(await list()).toHaveLength(1);
    for (const name of ['id', 'beginning', 'title'] as const) {
      const { projectId } = await research(IDEA);
      const wanted = { id: projectId, beginning: projectId.slice(0, 8), title: title.toLowerCase() }[name];
      const deleted = await run('projects', 'delete', wanted, '--yes');
      expect(deleted).toEqual({ code: 0, stdout: '', stderr: `Deleted project "${title}" (${projectId}).\n` });
      expect(await list()).toEqual([]);
    }
    expect(await run('projects', 'delete', first, '--yes')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no project') });
  });

  it.each([
    [['projects', 'delete'], /Say which project/],
    [['projects', 'delete', 'a', 'b'], /one argument/],
    [['projects', 'show'], /takes no "show"/],
    [['projects', '--yes'], /--yes/],
    [['share'], /Say what to share/],
    [['share', 'a', 'b'], /one argument/],
  ])('are not asked for with %j', async (args, sentence) => {
    expect(await newUser().run(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) });
  });
});

describe('a text that is refused', () => {
  it('leaves no project behind', async () => {
    const { run, list } = newUser();
    for (const command of ['research', 'plan']) {
      const refused = await run(command, 'asdf');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('does not describe a product idea');
      expect(await list()).toEqual([]);
    }
  });
});

describe('what nobody reads or keeps', () => {
  const env = { GROUNDWORK_URL: app.url, DATA_DIR: join(folder, 'unread') };

  it('does not stop a command, on standard error as on standard output', async () => {
    const report = await runGroundwork(['research', IDEA], { folder, env, unread: 'stderr' });
    expect(report).toMatchObject({ code: 0, stdout: expect.stringContaining('\n## Sources\n') });
    expect(await runGroundwork(['research', IDEA], { folder, env, unread: 'stdout' })).toMatchObject({ code: 0, stdout: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('is told where it could not be written', async () => {
    const full = await runGroundwork(['projects'], { folder, env, stdoutTo: '/dev/full' });
    expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(/^groundwork: The output could not be written: ENOSPC.*\.\n$/) });
    const nowhere = await runGroundwork(['research', IDEA, '--out', join('missing', 'report.md')], { folder, env });
    expect(nowhere).toEqual({
      code: 1,
      stdout: '',
      stderr: `groundwork: ${join(folder, 'missing')} is no folder: make it first, or name another file.\n`,
    });
  });
});

describe('sharing', () => {
  it("prints the link of a research, of a project's newest one, and takes it back", { timeout: 90_000 }, async () => {
    const { run, research } = newUser();
    const { title, researchId, projectId } = await research(IDEA);
    const shared = await run('share', researchId);
    expect(shared).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http:\S+\/share\/[\w-]+\n$/) });
    expect(shared.stderr).toContain('Everybody on this machine who has this link can read the research.');
    expect(await answer(shared.stdout)).toBe(200);
    expect(await run('share', projectId.slice(0, 8))).toMatchObject({ stdout: shared.stdout });
    expect(await run('share', researchId, '--revoke')).toMatchObject({ code: 0, stdout: '' });
    expect(await answer(shared.stdout)).toBe(404);

    const again = await run('share', title);
    expect(await answer(again.stdout)).toBe(200);
    expect(await run('share', title, '--revoke')).toMatchObject({ code: 0, stdout: '' });
    expect(await answer(again.stdout)).toBe(404);
  });

  it('prints the link of a brief, which lives as long as the brief', { timeout: 90_000 }, async () => {
    const { run, research } = newUser();
    const { projectId } = await research(IDEA);
    const brief = /brief (\S+) in project/.exec((await run('brief', projectId)).stderr)?.[1] ?? '';
    const shared = await run('share', brief);
    expect(await answer(shared.stdout)).toBe(200);
    expect(await run('share', brief, '--revoke')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('as long as the brief') });
  });

  it('says what there is nothing to share of', async () => {
    const { run } = newUser();
    const nothing = await run('share', NOWHERE);
    expect(nothing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`no research, brief or project with the id ${NOWHERE}`) });
    expect(await run('share', 'groomers')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no project "groomers"') });
  });
});
