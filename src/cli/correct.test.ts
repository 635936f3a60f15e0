import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { runGroundwork, type Ended } from '../../tests/cli/run-groundwork.ts';
import { startTestApp } from '#testing/app.ts';
import type { IdeaInterpretation, ResearchArtifact } from '#features/research';
import { askMarket } from './ask-market.ts';
import { interpretationLines } from './echo-interpretation.ts';
import { liveDisplay, plainDisplay } from './progress-display.ts';
import { RESEARCH_STAGES } from './progress.ts';

const IDEA = 'A hive scale for beekeepers without any sound or inspection features';

const app = await startTestApp();
const folder = mkdtempSync(join(tmpdir(), 'groundwork-correct-'));
afterAll(async () => {
  await app.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function newUser() {
  const env = { GROUNDWORK_URL: app.url, DATA_DIR: mkdtempSync(join(folder, 'user-')) };
  return (...args: string[]): Promise<Ended> => runGroundwork(args, { folder, env });
}

const artifactOf = ({ stdout }: Ended): ResearchArtifact => JSON.parse(stdout) as ResearchArtifact;
const kept = ({ stderr }: Ended): string[] => /Kept as research (\S+) in project (\S+)/.exec(stderr)?.slice(1) ?? [];

describe('groundwork research --market', () => {
  it('researches the market that is named by id or name', { timeout: 60_000 }, async () => {
    const run = newUser();
    const named = await run('research', IDEA, '--json', '--market', 'Shared shopping lists');
    expect(named.code === 0 ? artifactOf(named).classification.confidence : named.stderr).toSatisfy(
      (found: unknown) => found === 1 || String(found).includes('There is no market "Shared shopping lists"'),
    );
    const byId = await run('research', IDEA, '--json', '--market', 'beekeeping');
    expect(artifactOf(byId).classification).toMatchObject({ category_ids: ['beekeeping'], confidence: 1 });
  });

  it('names those that a part of a name fits, and refuses what fits none', async () => {
    const run = newUser();
    expect(await run('research', IDEA, '--market', 'management')).toMatchObject({ code: 2, stderr: expect.stringMatching(/fits \d+ markets: /) });
    expect(await run('research', IDEA, '--market', 'qqqq')).toEqual({ code: 2, stdout: '', stderr: 'groundwork: There is no market "qqqq".\n' });
  });
});

describe('groundwork correct', () => {
  it('researches the newest research of a project anew with what is put right', { timeout: 90_000 }, async () => {
    const run = newUser();
    const [first, project = ''] = kept(await run('research', IDEA));
    const corrected = await run('correct', project.slice(0, 8), '--user', 'school gardens', '--asked-for', 'weight history; swarm alert', '--json');
    expect(corrected.code).toBe(0);
    const [second, same] = kept(corrected);
    expect(same).toBe(project);
    expect(second).not.toBe(first);
    expect(artifactOf(corrected).idea.target_user).toBe('school gardens');
    const again = await run('correct', '--pain', '', '--not-asked-for', 'sound; cameras', '--market', 'beekeeping');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('\n## Sources\n') });
    expect(kept(again)[1]).toBe(project);
  });

  it.each([
    [['correct'], 2, /Say what to put right/],
    [['correct', 'a', 'b', '--user', 'x'], 2, /one argument/],
    [['correct', '--user', 'x'], 1, /no project yet/],
    [['correct', '--market', 'qqqq'], 2, /no market "qqqq"/],
  ])('%j is told what is wrong', async (args, code, sentence) => {
    expect(await newUser()(...args)).toEqual({ code, stdout: '', stderr: expect.stringMatching(sentence) });
  });
});

const said = (text: string) => ({ text, said_by: 'rules', span: { start: 0, end: text.length, quote: text } }) as const;
const ABOUT: IdeaInterpretation = {
  user: said('beekeepers'),
  pain: said('they lift hives\u001B[2J'),
  core_action: said('A hive scale'),
  asked_for: [{ ...said('weighs'), feature_id: null }],
  not_asked_for: [said('sound')],
  place: said('Portugal'),
  markets: [
    { id: 'beekeeping', name: 'Beekeeping', confidence: 0.25, chosen: true, said_by: 'rules', words: [{ start: 0, end: 4, quote: 'hive' }] },
    { id: 'farms', name: 'Farm management', confidence: 0.2, chosen: false, said_by: 'rules', words: [] },
  ],
};

class Screen extends Writable {
  text = '';
  columns = 200;
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.text += chunk.toString();
    done();
  }
}

describe('how an idea was understood', () => {
  it('is said in at most five lines', () => {
    expect(interpretationLines(ABOUT)).toEqual([
      'Understood: A hive scale · For beekeepers · in Portugal',
      'Pain: they lift hives',
      'Asked for: weighs',
      'Not asked for: sound',
      'Market: Beekeeping (25 % sure, for "hive"); else Farm management',
    ]);
    expect(interpretationLines({ asked_for: [], not_asked_for: [], markets: [] })).toEqual(['Market: none that is known']);
  });

  it('is shown on a terminal, and not in a log', () => {
    const [terminal, log] = [new Screen(), new Screen()];
    const displays = [liveDisplay(terminal as never, RESEARCH_STAGES), plainDisplay(log, RESEARCH_STAGES)];
    for (const display of displays) {
      display.show({ event: 'understood', data: { lines: interpretationLines(ABOUT) } });
      display.hold();
      display.end();
    }
    expect(terminal.text).toContain('Not asked for: sound');
    expect(log.text).toBe('');
  });
});

describe('which market is meant', () => {
  it.each([
    ['2\n', 'farms'],
    ['1\n', 'beekeeping'],
    ['\n', undefined],
    ['9\n', undefined],
    ['farms\n', undefined],
    ['', undefined],
  ])('%j is %s', async (typed, market) => {
    const [input, output] = [new PassThrough(), new Screen()];
    const chosen = askMarket(ABOUT.markets, { input, output }, new AbortController().signal);
    input.end(typed);
    expect(await chosen).toBe(market);
    expect(output.text).toContain('  2  Farm management\n');
  });
});
