import { diskCached } from '#platform/disk-cache/disk-cache.ts';
import { buildIndex } from './build-index.ts';
import { openIndex, type CatalogueIndex, type KeptIndex } from './catalogue-index.ts';
import { readLexicon, type Lexicon } from './lexicon.ts';
import { loadCategories } from './load-catalogue.ts';
import { collectMeanings, openMeanings, type KeptMeanings, type Meanings } from './meanings.ts';
import { collectNames, openNames, type KeptNames, type ProductNames } from './product-names.ts';
import { keepMarkets, openShelf, type KeptMarkets, type Shelf } from './shelf.ts';

/** Everything a search needs. */
export type Compiled = { shelf: Shelf; index: CatalogueIndex; lexicon: Lexicon; products: ProductNames; meanings: Meanings };

/** The same as plain data, most of it in flat columns, so that it is read back whole in little time. */
type Kept = { markets: KeptMarkets; index: KeptIndex; lexicon: Lexicon; products: KeptNames; meanings: KeptMeanings };

let opened: Compiled | undefined;

/** The catalogue ready to be searched: read back from the last start, or worked out where the files have changed since. */
export function openCompiled(): Compiled {
  for (const _ of openByParts());
  return opened as Compiled;
}

/** Opens it part by part, so that a caller can answer others in between; does nothing where it is open. */
export function* openByParts(): Generator<void, void> {
  if (opened) return;
  const { markets, index, lexicon, products, meanings } = readKept();
  yield;
  const shelf = openShelf(markets);
  const openedIndex = openIndex(index);
  yield;
  const names = openNames(products, shelf);
  opened ??= { shelf, index: openedIndex, lexicon, products: names, meanings: openMeanings(meanings) };
}

/** What an earlier start has kept, or what is worked out and kept now. */
export const readKept = (): Kept => diskCached('catalogue', [import.meta.dirname], compile);

/** The catalogue worked out from its files. */
export function compile(): Kept {
  const lexicon = readLexicon();
  const categories = loadCategories();
  return {
    markets: keepMarkets(categories),
    lexicon,
    index: buildIndex(categories, lexicon),
    products: collectNames(categories, lexicon),
    meanings: collectMeanings(categories, lexicon),
  };
}
