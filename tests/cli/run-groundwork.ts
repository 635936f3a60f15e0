import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const LAUNCHER = fileURLToPath(new URL('../../bin/groundwork.mjs', import.meta.url));

export type Ended = { code: number | null; stdout: string; stderr: string };
type Options = {
  /** Where it runs. */
  folder: string;
  env?: Record<string, string>;
  /** What stands on standard error when SIGINT is sent. */
  interruptAt?: string;
  /** What it gets on standard input. */
  input?: string;
  /** Of which nobody reads what it writes. */
  unread?: 'stdout' | 'stderr';
  /** File that standard output goes to. */
  stdoutTo?: string;
};

/** Runs the command line as a process of its own, with nothing but PATH and what is given as its environment. */
export function runGroundwork(args: readonly string[], { folder, env, interruptAt, input = '', unread, stdoutTo }: Options): Promise<Ended> {
  const { PATH = '' } = process.env;
  const file = stdoutTo === undefined ? undefined : openSync(stdoutTo, 'w');
  const child = spawn(process.execPath, [LAUNCHER, ...args], { cwd: folder, env: { PATH, ...env }, stdio: ['pipe', file ?? 'pipe', 'pipe'] });
  if (file !== undefined) closeSync(file);
  if (unread) child[unread]?.destroy();
  let stdout = '';
  let stderr = '';
  let interrupted = false;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (interrupted || interruptAt === undefined || !stderr.includes(interruptAt)) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  // A command that has read enough closes its end.
  child.stdin?.on('error', () => {}).end(input);
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr })));
}
