import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';

const PROCESS = join(import.meta.dirname, '../../testing/watched-process.ts');
const HARMFUL = '00000000-0000-4000-8000-000000000002';
// The thread that looks on needs its share of a busy processor while the last fifth of it fills up.
const HEAP_MB = 800;

const scratch = mkdtempSync(join(tmpdir(), 'groundwork-watch-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs a process in which that happens until it ends or `text` is heard, and kills it. Gives the jobs it left word of, or null. */
async function leftBehind(harm: string, text?: string): Promise<string[] | null> {
  const file = join(scratch, `${harm}.json`);
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, PROCESS, file, harm], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const heard = new Promise<void>((resolve) => {
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => text !== undefined && line.includes(text) && resolve());
  });
  await Promise.race([heard, ended]);
  child.kill('SIGKILL');
  await ended;
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { jobIds: string[] }).jobIds : null;
}

const NOTICED = 'while these jobs are at work';

describe('a process that goes down', () => {
  it.each(['loops', 'matches', 'goes round in promises', 'throws', 'rejects'])('because a job %s leaves word of that one alone', async (harm) => {
    expect(await leftBehind(harm, NOTICED)).toEqual([HARMFUL]);
  });

  it('because a job waits outside JavaScript leaves word of it, if not of that one alone', async () => {
    expect(await leftBehind('waits outside JavaScript', NOTICED)).toContain(HARMFUL);
  });

  // Until it is gone: a collection of garbage may give it room once more, and then the word is taken back for a while.
  it.each(['fills the memory at once', 'fills the memory bit by bit'])(
    'because a job %s leaves word of it, if not of that one alone',
    async (harm) => {
      expect(await leftBehind(harm)).toContain(HARMFUL);
    },
  );

  it('because something else than a job blocks it leaves word of none', async () => {
    expect(await leftBehind('no job loops', 'and by no job')).toEqual([]);
  });

  it('because somebody ended it leaves no word', async () => {
    expect(await leftBehind('nothing', 'at work')).toBeNull();
  });
});

it('takes its word back when it comes through', async () => {
  expect(await leftBehind('blocks for a while', 'answers again')).toBeNull();
});
