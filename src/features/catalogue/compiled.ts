import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { buildIndex, openIndex, type CatalogueIndex, type KeptIndex } from './catalogue-index.ts';
import { readLexicon, type Lexicon } from './lexicon.ts';
import { loadCategories } from './load-catalogue.ts';
import { collectNames, openNames, type KeptNames, type ProductNames } from './product-names.ts';
import { keepMarkets, openShelf, type KeptMarkets, type Shelf } from './shelf.ts';

/** Everything a search needs. */
export type Compiled = { shelf: Shelf; index: CatalogueIndex; lexicon: Lexicon; products: ProductNames };

/** The same as plain data, most of it in flat columns, so that it is read back whole in little time. */
type Kept = { markets: KeptMarkets; index: KeptIndex; lexicon: Lexicon; products: KeptNames };

/** Where what was worked out is kept; a folder that cannot be written only means that every start works it out again. */
const file = join(import.meta.dirname, '../../../node_modules/.cache/groundwork/catalogue.bin');

let opened: Compiled | undefined;

/** The catalogue ready to be searched: read back from the last start, or worked out where the files have changed since. */
export function openCompiled(): Compiled {
  opened ??= open(readKept());
  return opened;
}

function open({ markets, index, lexicon, products }: Kept): Compiled {
  const shelf = openShelf(markets);
  return { shelf, index: openIndex(index), lexicon, products: openNames(products, shelf) };
}

/** What the last start has kept, or what is worked out and kept now. */
export function readKept(): Kept {
  const stamp = stampOf(import.meta.dirname);
  return readBack(stamp) ?? keep(stamp, compile());
}

/** The catalogue worked out from its files. */
export function compile(): Kept {
  const lexicon = readLexicon();
  const categories = loadCategories();
  return { markets: keepMarkets(categories), lexicon, index: buildIndex(categories, lexicon), products: collectNames(categories, lexicon) };
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

function readBack(stamp: string): Kept | undefined {
  try {
    const read = deserialize(readFileSync(file)) as { stamp: string; kept: Kept };
    return read.stamp === stamp ? read.kept : undefined;
  } catch {
    return undefined;
  }
}

function keep(stamp: string, kept: Kept): Kept {
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, serialize({ stamp, kept }));
    renameSync(unfinished, file);
  } catch {
    // Read-only installation.
  }
  return kept;
}
