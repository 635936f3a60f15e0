import { keptWork } from '#platform/kept/kept-work.ts';
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
  opened ??= open(readKept());
  return opened;
}

function open({ markets, index, lexicon, products, meanings }: Kept): Compiled {
  const shelf = openShelf(markets);
  return { shelf, index: openIndex(index), lexicon, products: openNames(products, shelf), meanings: openMeanings(meanings) };
}

/** What an earlier start has kept, or what is worked out and kept now. */
export const readKept = (): Kept => keptWork('catalogue', [import.meta.dirname], compile);

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
