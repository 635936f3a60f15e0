import { readFileSync } from 'node:fs';
import { messageOf } from '#lib/errors.ts';
import { ConfigError } from '#platform/config/config.ts';
import { readEnv } from '#platform/config/env.ts';
import { cleanText } from '#lib/clean-text.ts';
import { CommandError, Interrupted, UsageError, type Command } from './command.ts';
import { acceptForwardedSignals, onSignals } from './forwarded-signals.ts';

const COMMANDS: Record<string, () => Promise<Command>> = {
  research: async () => (await import('./commands/research.ts')).research,
  correct: async () => (await import('./commands/correct.ts')).correct,
  plan: async () => (await import('./commands/plan.ts')).plan,
  brief: async () => (await import('./commands/brief.ts')).brief,
  export: async () => (await import('./commands/export.ts')).exportFile,
  share: async () => (await import('./commands/share.ts')).share,
  projects: async () => (await import('./commands/projects.ts')).projects,
  reactions: async () => (await import('./commands/reactions.ts')).reactions,
  outbox: async () => (await import('./commands/outbox.ts')).outbox,
  secrets: async () => (await import('./commands/secrets.ts')).secrets,
  status: async () => (await import('./commands/status.ts')).status,
  serve: async () => (await import('./commands/serve.ts')).serve,
  token: async () => (await import('./commands/token.ts')).token,
};

const EXIT_OF_SIGNAL: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const env = readEnv();
acceptForwardedSignals();
// A reader that closed the pipe, such as "head", has what it wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : report(new CommandError(`The output could not be written: ${error.message}.`, { cause: error })));
});
// Whoever does not read the progress may still want the result.
process.stderr.on('error', () => {});
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    return await dispatch(args);
  } catch (error) {
    return report(error);
  }
}

async function dispatch([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(await overview());
    return 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  if (name.startsWith('-')) throw new UsageError(`There is no option "${name}": "groundwork --help" lists what there is.`);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) throw new UsageError(`There is no command "${name}": "groundwork --help" lists what there is.`);
  const command = await load();
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (own.includes('--help') || own.includes('-h')) {
    process.stdout.write(command.help);
    return 0;
  }
  return command.run(args, { env, signal: interruption(name) });
}

/** Aborts on the first signal; on the second one nothing is waited for any more. */
function interruption(name: string): AbortSignal {
  const interrupted = new AbortController();
  // The service stops in its own order.
  if (name === 'serve') return interrupted.signal;
  onSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
    if (interrupted.signal.aborted) process.exit(EXIT_OF_SIGNAL[signal]);
    interrupted.abort(new Interrupted(signal));
  });
  return interrupted.signal;
}

function report(error: unknown): number {
  if (error instanceof Interrupted) return EXIT_OF_SIGNAL[error.signal] ?? 1;
  if (env['GROUNDWORK_DEBUG'] === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  const expected = error instanceof CommandError || error instanceof UsageError || error instanceof ConfigError;
  const sentence = cleanText(messageOf(error));
  process.stderr.write(`groundwork: ${expected ? sentence : `${sentence} (GROUNDWORK_DEBUG=1 shows where this comes from.)`}\n`);
  return error instanceof UsageError ? 2 : 1;
}

async function overview(): Promise<string> {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(async ([name, load]) => `  ${name.padEnd(width)}  ${(await load()).summary}`);
  return `Groundwork turns a product idea into market research that names its evidence, and into a plan for its build.

Usage: groundwork <command> [options]

${(await Promise.all(lines)).join('\n')}

"groundwork <command> --help" explains a command, "groundwork --version" prints the version.
`;
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}
