import { collapseSpaces, shorten } from '#lib/text.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Needs } from '#platform/context.ts';
import type { Document } from '#platform/rendering/document.ts';
import { PrintFailed } from '#platform/rendering/pdf/open-printer.ts';
import { terminalText } from '#platform/rendering/terminal/terminal.ts';

export type Printed = { bytes: Uint8Array | string; contentType: string; fileName: string };

/** Columns of a document as plain text. */
const COLUMNS = 100;

/** A document as a PDF file, or as plain text where it cannot be set. @param name of the file, which `suffix` and an ending follow */
export async function printDocument({ printer, log }: Needs<'printer' | 'log'>, document: Document, name: string, suffix: string): Promise<Printed> {
  const base = `${fileNameOf(name)} ${suffix}`;
  try {
    return { bytes: await printer.pdf(document), contentType: 'application/pdf', fileName: `${base}.pdf` };
  } catch (error) {
    if (!(error instanceof PrintFailed)) throw error;
    log.warn({ err: error, name: base }, 'a document could not be set; sent as plain text');
    const text = terminalText(document, { columns: COLUMNS, colours: false });
    return { bytes: text, contentType: 'text/plain; charset=utf-8', fileName: `${base}.txt` };
  }
}

/** What every file system takes. */
const fileNameOf = (name: string): string =>
  shorten(collapseSpaces(visibleText(name).replaceAll(/[/\\:*?"<>|]+/g, ' ')), 90).replaceAll(/^[. ]+|[. …]+$/g, '') || 'untitled';
