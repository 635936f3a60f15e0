import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { buildIndex, type CatalogueIndex } from './catalogue-index.ts';
import { readLexicon, type Lexicon } from './lexicon.ts';
import { deepFreeze, loadCategories } from './load-catalogue.ts';
import { collectNames, type ProductNames } from './product-names.ts';

/** Everything a search needs, worked out from the files. */
export type Compiled = { index: CatalogueIndex; lexicon: Lexicon; products: ProductNames };

/** Where what was worked out is kept; a folder that cannot be written only means that every start works it out again. */
const kept = join(import.meta.dirname, '../../../node_modules/.cache/groundwork/catalogue.bin');

let opened: Compiled | undefined;

/** The catalogue ready to be searched: read back from the last start, or worked out where the files have changed since. */
export function openCompiled(): Compiled {
  opened ??= open();
  return opened;
}

function open(): Compiled {
  const stamp = stampOf(import.meta.dirname);
  const compiled = readBack(stamp) ?? keep(stamp, compile());
  deepFreeze(compiled.index.categories);
  return compiled;
}

/** The catalogue worked out from its files. */
export function compile(): Compiled {
  const lexicon = readLexicon();
  const categories = loadCategories();
  return { lexicon, index: buildIndex(categories, lexicon), products: collectNames(categories, lexicon) };
}

/** Changes with any file of the catalogue, code as well as data, and with the Node.js whose format is read. */
function stampOf(folder: string): string {
  const hash = createHash('sha256').update(process.versions.v8);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { size, mtimeMs } = statSync(join(entry.parentPath, entry.name));
    hash.update(`${entry.parentPath}/${entry.name} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Columns are read as views into the file's bytes and would keep all of them in memory. */
function copied<Columns extends object>(columns: Columns): Columns {
  const entries = Object.entries(columns).map(([name, value]) => [name, isColumn(value) ? value.slice() : value]);
  return Object.fromEntries(entries) as Columns;
}

const isColumn = (value: unknown): value is Int32Array => ArrayBuffer.isView(value) && 'slice' in value;

function readBack(stamp: string): Compiled | undefined {
  try {
    const read = deserialize(readFileSync(kept)) as { stamp: string; compiled: Compiled };
    if (read.stamp !== stamp) return undefined;
    const { index } = read.compiled;
    const { units, unitLists, postings, pairs, summaries } = index;
    const columns = {
      units: copied(units),
      unitLists: copied(unitLists),
      postings: copied(postings),
      pairs: copied(pairs),
      summaries: copied(summaries),
    };
    return { ...read.compiled, index: { ...index, ...columns } };
  } catch {
    return undefined;
  }
}

function keep(stamp: string, compiled: Compiled): Compiled {
  try {
    mkdirSync(join(kept, '..'), { recursive: true });
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, serialize({ stamp, compiled }));
    renameSync(unfinished, kept);
  } catch {
    // Read-only installation.
  }
  return compiled;
}
