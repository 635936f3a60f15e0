import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Env } from '#platform/config/env.ts';

/** What a command gets beside its arguments. `signal` aborts when the user interrupts. */
export type Run = { env: Env; signal: AbortSignal };

export type Command = {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` prints. */
  help: string;
  /** Gives the exit code. */
  run(args: readonly string[], run: Run): Promise<number>;
};

/** A failure that is told in one sentence; exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** What was started has failed, for the reason that the service gave. */
export class RunFailed extends CommandError {
  override name = 'RunFailed';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The command line itself is wrong; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The user stopped the command; carries the signal that did. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

/**
 * The options and positional arguments of a command.
 * @throws UsageError naming the option that is unknown or lacks its value
 */
export function parseOptions<const O extends NonNullable<ParseArgsConfig['options']>>(command: string, args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${whatIsWrong(error)}: "groundwork ${command} --help" lists what it takes.`);
  }
}

function whatIsWrong(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  const option = /'([^']*)'/.exec(message)?.[1]?.replace(/^(?:-\w, )?(--[\w-]+).*$/, '$1') ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option "${option}"`;
  return message.includes('does not take an argument') ? `The option "${option}" takes no value` : `The option "${option}" needs a value`;
}

/** Refuses what a command has no use for. @throws UsageError */
export function noPositionals(command: string, positionals: readonly string[]): void {
  if (positionals[0] !== undefined) throw new UsageError(`"groundwork ${command}" takes no "${positionals[0]}".`);
}
