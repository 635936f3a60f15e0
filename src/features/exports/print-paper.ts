import { collapseSpaces, shorten } from '#lib/text.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Needs } from '#platform/context.ts';
import { PrintFailed } from '#platform/ports/pdf/open-printer.ts';
import type { Paper } from '#platform/ports/pdf/paper.ts';
import { plainPaper } from '#platform/ports/pdf/plain-paper.ts';

/** An idea may fill pages; a cover holds its beginning. */
export const COVER_TEXT = 500;

export type Printed = { bytes: Uint8Array | string; contentType: string; fileName: string };

/** A paper as a PDF file, or as plain text where it cannot be set. @param name of the file, which `suffix` and an ending follow */
export async function printPaper({ printer, log }: Needs<'printer' | 'log'>, paper: Paper, name: string, suffix: string): Promise<Printed> {
  const base = `${fileNameOf(name)} ${suffix}`;
  try {
    return { bytes: await printer.pdf(paper), contentType: 'application/pdf', fileName: `${base}.pdf` };
  } catch (error) {
    if (!(error instanceof PrintFailed)) throw error;
    log.warn({ err: error, name: base }, 'a document could not be set; sent as plain text');
    return { bytes: plainPaper(paper), contentType: 'text/plain; charset=utf-8', fileName: `${base}.txt` };
  }
}

/** What every file system takes. */
const fileNameOf = (name: string): string =>
  shorten(collapseSpaces(visibleText(name).replaceAll(/[/\\:*?"<>|]+/g, ' ')), 90).replaceAll(/^[. ]+|[. …]+$/g, '') || 'untitled';
