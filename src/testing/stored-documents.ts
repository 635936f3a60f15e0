import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Document } from '#platform/documents/define-document.ts';

/**
 * What was stored in each version of a document, from `<folder>/<name>.v<version>.json`; version 0 is what was written before
 * documents had versions, where there is such a row. A version without its row is an error: whoever adds one keeps a row of it.
 * @param folder the test's own `stored/` folder, as a URL that ends in a slash
 */
export function storedRows(document: Pick<Document<unknown>, 'version'>, folder: URL, name: string): { version: number; stored: unknown }[] {
  const place = (version: number): URL => new URL(`${name}.v${version}.json`, folder);
  const read = (version: number) => ({ version, stored: JSON.parse(readFileSync(place(version), 'utf8')) as unknown });
  const versions = Array.from({ length: document.version }, (_, index) => index + 1);
  return [...(existsSync(place(0)) ? [read(0)] : []), ...versions.map(read)];
}

/** A document is read from what each version stored, the same whenever it is written again, and never shows its version. */
export function readsEveryVersion(document: Document<unknown>, folder: URL, name: string): void {
  it.each(storedRows(document, folder, name))(`${document.name}, version $version`, ({ stored }) => {
    const read = document.check(stored);
    expect(read).not.toHaveProperty('v');
    expect(document.read(stored)).toEqual(read);
    expect(document.read(document.write(read))).toEqual(read);
  });
}
