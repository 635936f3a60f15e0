import { accessSync, chmodSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { messageOf } from '#lib/errors.ts';
import { modeOfUsersFile } from '#platform/disk-cache/private-files.mjs';
import type { Document } from '#platform/rendering/document.ts';
import { markdownOf } from '#platform/rendering/markdown/markdown.ts';
import { terminalText } from '#platform/rendering/terminal/terminal.ts';
import { CommandError, type Run } from './command.ts';

export type Wanted = { json: boolean; out: string | undefined };

/** What a command found: as data, and as a document that is whole in a file and may be brief on a terminal. */
export type Found = { data: unknown; document: (detail: 'whole' | 'brief') => Document; summary: string };

/** Writes it to where it is wanted: a file, standard output as data, as Markdown or, on a terminal, set for it. */
export function writeFound({ data, document, summary }: Found, { json, out }: Wanted, { env }: Run): void {
  const asJson = () => `${JSON.stringify(data, null, 2)}\n`;
  if (out !== undefined) {
    const path = resolve(out);
    writeOut(path, extname(path).toLowerCase() === '.json' ? asJson() : markdownOf(document('whole')));
    process.stderr.write(`${summary} is in ${path}\n`);
    if (!json) return;
  }
  if (json) process.stdout.write(asJson());
  else if (process.stdout.isTTY) {
    const look = { columns: process.stdout.columns || 80, colours: env['NO_COLOR'] === undefined };
    process.stdout.write(`\n${terminalText(document('brief'), look)}`);
  } else process.stdout.write(markdownOf(document('whole')));
}

/** Before work is spent on it. @throws CommandError when the file cannot be written */
export function checkWritable(file: string): void {
  const path = resolve(file);
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new CommandError(`${path} is a folder: name a file.`);
    if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
      throw new CommandError(`${dirname(path)} is no folder: make it first, or name another file.`);
    accessSync(statSync(path, { throwIfNoEntry: false }) ? path : dirname(path), constants.W_OK);
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(`${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}

/** @throws CommandError */
export function writeOut(path: string, content: string | Uint8Array): void {
  try {
    const isNew = !existsSync(path);
    writeFileSync(path, content);
    if (isNew) chmodSync(path, modeOfUsersFile());
  } catch (error) {
    throw new CommandError(`${path} could not be written: ${messageOf(error)}.`, { cause: error });
  }
}
