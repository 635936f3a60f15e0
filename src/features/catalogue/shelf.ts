import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { lru } from '#lib/lru.ts';
import { endsOf, partAt } from './columns.ts';
import type { CatalogueCompany, Category } from './schema.ts';

/** The markets as JSON texts, one after the other, and where each ends; the companies of all in their order, and the markets that each serves. */
export type KeptMarkets = {
  /** Compressed each on its own: a quarter of the memory for a tenth of a millisecond when a market is read. */
  text: Uint8Array;
  ends: Int32Array;
  ids: readonly string[];
  companyIds: readonly string[];
  /** Per market, where its own companies end. */
  companyEnds: Int32Array;
  /** Per company the places of its markets, its own first, and where they end. */
  served: Uint16Array;
  servedEnds: Int32Array;
};

/** A company, its own market and its place among all companies. */
export type CompanyHome = { company: CatalogueCompany; category: Category; place: number };

/** The markets, each read when it is asked for; what is read is frozen. */
export type Shelf = Iterable<Category> & {
  size: number;
  /** The id of a market by its place; empty where there is none. */
  idOf(place: number): string;
  /** A market by its place. */
  at(place: number): Category | undefined;
  category(id: string): Category | undefined;
  company(id: string): CompanyHome | undefined;
  companyAt(place: number): CompanyHome | undefined;
  /** The places of a market's first company and of the first one after it, among all companies. */
  companiesOf(place: number): readonly [number, number];
  /** The places of the markets that a company serves, its own first. */
  servedBy(company: number): readonly number[];
};

/** A few researches at once touch about so many. */
const REMEMBERED = 150;

/** Freezes a value and everything in it. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/** Markets in the form in which they are kept. */
export function keepMarkets(categories: readonly Category[]): KeptMarkets {
  const texts = categories.map((category) => zstdCompressSync(JSON.stringify(category)));
  const companyIds = categories.flatMap(({ companies }) => companies.map(({ id }) => id));
  const served = marketsServed(categories, placesOf(companyIds));
  return {
    text: Buffer.concat(texts),
    ends: endsOf(texts.map(({ length }) => length)),
    ids: categories.map(({ id }) => id),
    companyIds,
    companyEnds: endsOf(categories.map(({ companies }) => companies.length)),
    served: Uint16Array.from(served.flat()),
    servedEnds: endsOf(served.map(({ length }) => length)),
  };
}

/** Per company its own market, then those of other files that name it. */
function marketsServed(categories: readonly Category[], places: ReadonlyMap<string, number>): number[][] {
  const served = categories.flatMap(({ companies }, at) => companies.map(() => [at]));
  for (const [at, { also }] of categories.entries()) for (const { company } of also) served[places.get(company) ?? -1]?.push(at);
  return served;
}

const placesOf = (ids: readonly string[]): Map<string, number> => new Map(ids.map((id, place) => [id, place]));

/** How many of the ascending `ends` are at or before a place: the part that holds it. */
function partOf(place: number, ends: Int32Array): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function openShelf({ text, ends, ids, companyIds, companyEnds, served, servedEnds }: KeptMarkets): Shelf {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const recent = lru<Category>(REMEMBERED);
  let places: ReadonlyMap<string, number> | undefined;
  let companies: ReadonlyMap<string, number> | undefined;
  const read = (place: number): Category => {
    const packed = bytes.subarray(ends[place - 1] ?? 0, ends[place]);
    return deepFreeze(JSON.parse(zstdDecompressSync(packed).toString()) as Category);
  };
  const at = (place: number): Category | undefined => (place in ids ? recent(String(place), () => read(place)) : undefined);
  const companiesOf = (place: number): readonly [number, number] => [companyEnds[place - 1] ?? 0, companyEnds[place] ?? 0];
  const companyAt = (place: number): CompanyHome | undefined => {
    const home = partOf(place, companyEnds);
    const category = at(home);
    const company = category?.companies[place - companiesOf(home)[0]];
    return category && company ? { company, category, place } : undefined;
  };
  return {
    size: ids.length,
    idOf: (place) => ids[place] ?? '',
    at,
    companiesOf,
    servedBy: (company) => [...partAt(served, servedEnds, company)],
    category: (id) => {
      const place = (places ??= placesOf(ids)).get(id);
      return place === undefined ? undefined : at(place);
    },
    company: (id) => {
      const place = (companies ??= placesOf(companyIds)).get(id);
      return place === undefined ? undefined : companyAt(place);
    },
    companyAt,
    // Whoever looks at all of them once is not given room for them.
    *[Symbol.iterator]() {
      for (const place of ids.keys()) yield read(place);
    },
  };
}
