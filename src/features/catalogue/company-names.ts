import { diskCached } from '#platform/disk-cache/disk-cache.ts';
import { editDistance } from './edits.ts';
import { normalise } from './text.ts';
import type { CatalogueCompany, Category } from './schema.ts';
import type { Shelf } from './shelf.ts';

export type CompanyMatch = { company: CatalogueCompany; category: Category; similarity: number };
const LEAST = 0.6;
/** What is longer names nobody. */
const LONGEST_NAME = 100;
const squeeze = (text: string) => normalise(text).replace(/[^\p{L}\p{N}]/gu, '');

function gramsOf(text: string): Set<string> {
  const padded = `^${text}$`;
  return new Set(Array.from({ length: Math.max(0, padded.length - 1) }, (_, at) => padded.slice(at, at + 2)));
}

/** Sørensen–Dice over letter pairs. */
function dice(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const gram of left) if (right.has(gram)) shared += 1;
  return (2 * shared) / (left.size + right.size || 1);
}

/** Share of letters that stay when up to two are mistyped. */
function closeness(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  if (length < 5) return 0;
  const edits = editDistance(left, right, 2);
  return edits > 2 ? 0 : 1 - edits / length;
}

const bareDomain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/?#].*$/, '');

function push(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

const FORMER = 0.98;
/** Called by the first part of its address or by its id. */
const ADDRESSED = 0.97;
/** Two names within two edits or alike enough have at least this many letter pairs in common. */
const SHARED = 2;

export type CompanyNames = {
  /** The company that has this name, former name or domain, as it is written there but for case and signs. */
  called(name: string): CompanyMatch | undefined;
  /** Companies by name, former name or domain: exact names first, then alike ones, at least `LEAST` similar. */
  find(name: string, limit?: number): CompanyMatch[];
};

/** Names and former names in order, and addresses, each with the place of its company among all. */
type KeptNames = {
  names: readonly string[];
  named: Int32Array;
  isFormer: Uint8Array;
  addresses: readonly string[];
  addressed: Int32Array;
};

function collectNames(markets: Iterable<Category>): KeptNames {
  const names: { name: string; place: number; isFormer: boolean }[] = [];
  const addresses = new Map<string, number>();
  let place = 0;
  for (const { companies } of markets) {
    for (const { name, formerly = [], domain } of companies) {
      names.push({ name: squeeze(name), place, isFormer: false });
      for (const former of formerly) names.push({ name: squeeze(former), place, isFormer: true });
      for (const address of [domain, squeeze(domain), squeeze(domain.split('.')[0] ?? '')])
        if (!addresses.has(address)) addresses.set(address, place);
      place += 1;
    }
  }
  names.sort((left, right) => (left.name === right.name ? left.place - right.place : left.name < right.name ? -1 : 1));
  return {
    names: names.map(({ name }) => name),
    named: Int32Array.from(names, (entry) => entry.place),
    isFormer: Uint8Array.from(names, ({ isFormer }) => Number(isFormer)),
    addresses: [...addresses.keys()],
    addressed: Int32Array.from(addresses.values()),
  };
}

/** Finds companies by what they are called. @param folder the files that the markets are read from */
export function openCompanyNames(shelf: Shelf, folder: string): CompanyNames {
  const { names, named, isFormer, addresses, addressed } = diskCached('company-names', [folder], () => collectNames(shelf));
  const first = new Map<string, number>();
  for (const [row, name] of names.entries()) if (!first.has(name)) first.set(name, row);
  /** Those of a name stand one after the other. */
  const exactly = (name: string): Likeness[] => {
    const found: Likeness[] = [];
    for (let row = first.get(name) ?? names.length; names[row] === name; row += 1) found.push(likenessOf(row, 1));
    return found;
  };
  const likenessOf = (row: number, similarity: number): Likeness => ({
    company: named[row] ?? -1,
    similarity: similarity * (isFormer[row] === 1 ? FORMER : 1),
  });
  const byAddress = new Map(addresses.map((address, at) => [address, addressed[at] ?? -1]));
  const withAddress = (name: string): Likeness[] => {
    const domain = bareDomain(name);
    const company = byAddress.get(domain) ?? shelf.company(domain)?.place ?? byAddress.get(squeeze(name));
    return company === undefined ? [] : [{ company, similarity: byAddress.has(domain) && domain.includes('.') ? 1 : ADDRESSED }];
  };
  const matchOf = ({ company: place, similarity }: Likeness): CompanyMatch[] => {
    const home = shelf.companyAt(place);
    return home ? [{ company: home.company, category: home.category, similarity }] : [];
  };
  let alike: Alike | undefined;
  return {
    called: (name) => {
      if (name.length > LONGEST_NAME) return undefined;
      const [best] = inOrder([...exactly(squeeze(name)), ...withAddress(name)]);
      return best && matchOf(best)[0];
    },
    find: (name, limit = 5) => {
      if (name.length > LONGEST_NAME || squeeze(name).length === 0) return [];
      alike ??= alikeAmong(names);
      const rows = alike(squeeze(name)).map(({ row, similarity }) => likenessOf(row, similarity));
      const found = inOrder([...rows, ...withAddress(name)]);
      return found.slice(0, limit).flatMap(matchOf);
    },
  };
}

type Likeness = { company: number; similarity: number };

/** Each company once, with its best name; the most similar first. */
function inOrder(found: readonly Likeness[]): Likeness[] {
  const best = new Map<number, number>();
  for (const { company, similarity } of found) if (similarity >= LEAST && similarity > (best.get(company) ?? 0)) best.set(company, similarity);
  return [...best]
    .map(([company, similarity]) => ({ company, similarity }))
    .sort((left, right) => right.similarity - left.similarity || left.company - right.company);
}

type Alike = (wanted: string) => { row: number; similarity: number }[];

/** What is alike among names, by the letter pairs they share. */
function alikeAmong(names: readonly string[]): Alike {
  const grams = names.map(gramsOf);
  const byGram = new Map<string, number[]>();
  for (const [row, own] of grams.entries()) for (const gram of own) push(byGram, gram, row);
  return (wanted) => {
    const asked = gramsOf(wanted);
    const shared = new Map<number, number>();
    for (const gram of asked) for (const row of byGram.get(gram) ?? []) shared.set(row, (shared.get(row) ?? 0) + 1);
    return [...shared].flatMap(([row, count]) => {
      const [name, own] = [names[row], grams[row]];
      if (name === undefined || !own || count < SHARED) return [];
      return [{ row, similarity: name === wanted ? 1 : 0.95 * Math.max(dice(asked, own), closeness(wanted, name)) }];
    });
  };
}
