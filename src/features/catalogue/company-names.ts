import { editDistance, normalise } from './text.ts';
import type { CatalogueCompany, Category } from './schema.ts';
import type { Shelf } from './shelf.ts';

export type CompanyMatch = { company: CatalogueCompany; category: Category; similarity: number };
type Named = {
  id: string;
  name: string;
  /** What the name itself is worth: a former one a little less than the present one. */
  worth: number;
};

const LEAST = 0.6;
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

/** Finds companies by what they are called. */
export function companyNames(shelf: Shelf): CompanyNames {
  const byName = new Map<string, Named[]>();
  const byAddress = new Map<string, Named>();
  for (const { companies } of shelf) {
    for (const company of companies) {
      const named = [company.name, ...(company.formerly ?? [])].map((written, place): Named => {
        return { id: company.id, name: squeeze(written), worth: place === 0 ? 1 : FORMER };
      });
      for (const entry of named) byName.set(entry.name, [...(byName.get(entry.name) ?? []), entry]);
      const [own] = named;
      if (!own) continue;
      const { domain, id } = company;
      for (const address of [domain, id, squeeze(domain), squeeze(domain.split('.')[0] ?? '')])
        if (!byAddress.has(address)) byAddress.set(address, own);
    }
  }
  const addressed = (name: string): Likeness[] => {
    const domain = bareDomain(name);
    const found = byAddress.get(domain) ?? byAddress.get(squeeze(name));
    return found === undefined ? [] : [{ id: found.id, similarity: byAddress.has(domain) && domain.includes('.') ? 1 : ADDRESSED }];
  };
  const matchOf = ({ id, similarity }: Likeness): CompanyMatch[] => {
    const home = shelf.company(id);
    return home ? [{ company: home.company, category: home.category, similarity }] : [];
  };
  let alike: Alike | undefined;
  return {
    called: (name) => {
      const exact = (byName.get(squeeze(name)) ?? []).map(({ id, worth }) => ({ id, similarity: worth }));
      return inOrder([...exact, ...addressed(name)])
        .slice(0, 1)
        .flatMap(matchOf)[0];
    },
    find: (name, limit = 5) => {
      if (squeeze(name).length === 0) return [];
      alike ??= alikeAmong([...byName.values()].flat());
      return inOrder([...alike(squeeze(name)), ...addressed(name)])
        .slice(0, limit)
        .flatMap(matchOf);
    },
  };
}

type Likeness = { id: string; similarity: number };

/** Each company once, with its best name; the most similar first. */
function inOrder(found: readonly Likeness[]): Likeness[] {
  const best = new Map<string, number>();
  for (const { id, similarity } of found) if (similarity >= LEAST && similarity > (best.get(id) ?? 0)) best.set(id, similarity);
  return [...best]
    .map(([id, similarity]) => ({ id, similarity }))
    .sort((left, right) => right.similarity - left.similarity || (left.id < right.id ? -1 : 1));
}

type Alike = (wanted: string) => Likeness[];

/** What is alike among names, by the letter pairs they share. */
function alikeAmong(named: readonly Named[]): Alike {
  const grams = named.map(({ name }) => gramsOf(name));
  const byGram = new Map<string, number[]>();
  for (const [at, own] of grams.entries()) for (const gram of own) push(byGram, gram, at);
  return (wanted) => {
    const asked = gramsOf(wanted);
    const shared = new Map<number, number>();
    for (const gram of asked) for (const at of byGram.get(gram) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
    return [...shared].flatMap(([at, count]): Likeness[] => {
      const entry = named[at];
      const own = grams[at];
      if (!entry || !own || count < SHARED) return [];
      const { id, name, worth } = entry;
      return [{ id, similarity: worth * (name === wanted ? 1 : 0.95 * Math.max(dice(asked, own), closeness(wanted, name))) }];
    });
  };
}
