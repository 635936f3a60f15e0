import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Category } from './schema.ts';

const root = join(import.meta.dirname, 'data');
/** Folders of `data` that hold no categories. */
const OTHER_FOLDERS = new Set(['lexicon']);

/** Paths of all category files under a data folder, sorted. */
function categoryFiles(folder: string = root): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OTHER_FOLDERS.has(entry.name))
    .flatMap((entry) =>
      readdirSync(join(folder, entry.name))
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(folder, entry.name, name)),
    )
    .sort();
}

/** Every category, sorted by id. The files are trusted: the check and the tests hold them to the schema. */
export function loadCategories(files: readonly string[] = categoryFiles()): readonly Category[] {
  const categories = files.map((file) => {
    const category = JSON.parse(readFileSync(file, 'utf8')) as z.input<typeof Category>;
    return { ...category, also: category.also ?? [], answered_by: category.answered_by ?? {}, locally: category.locally ?? {} };
  });
  return categories.sort((left, right) => (left.id < right.id ? -1 : 1));
}
