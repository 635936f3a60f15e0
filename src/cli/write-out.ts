import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { messageOf } from '#lib/errors.ts';
import { CommandError, type Run } from './command.ts';
import type { Outline } from './outline.ts';
import { markdownReport } from './report.ts';
import { terminalReport } from './terminal-report.ts';

export type Wanted = { json: boolean; out: string | undefined };

/** What a command found: as data, and as a report that is whole in a file and may be brief on a terminal. */
export type Found = { data: unknown; outline: (form: 'whole' | 'brief') => Outline; summary: string };

/** Writes it to where it is wanted: a file, standard output as data, as Markdown or, on a terminal, set for it. */
export function writeFound({ data, outline, summary }: Found, { json, out }: Wanted, { env }: Run): void {
  const asJson = () => `${JSON.stringify(data, null, 2)}\n`;
  if (out !== undefined) {
    const path = resolve(out);
    writeOut(path, extname(path).toLowerCase() === '.json' ? asJson() : markdownReport(outline('whole')));
    process.stderr.write(`${summary} is in ${path}\n`);
    if (!json) return;
  }
  if (json) process.stdout.write(asJson());
  else if (process.stdout.isTTY) {
    const look = { columns: process.stdout.columns || 80, colours: env['NO_COLOR'] === undefined };
    process.stdout.write(`\n${terminalReport(outline('brief'), look)}`);
  } else process.stdout.write(markdownReport(outline('whole')));
}

/** Before work is spent on it. @throws CommandError when the file cannot be written */
export function checkWritable(file: string): void {
  const path = resolve(file);
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new CommandError(`${path} is a folder: name a file.`);
    accessSync(statSync(path, { throwIfNoEntry: false }) ? path : dirname(path), constants.W_OK);
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(`${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}

/** @throws CommandError */
export function writeOut(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new CommandError(`${path} could not be written: ${messageOf(error)}.`, { cause: error });
  }
}
