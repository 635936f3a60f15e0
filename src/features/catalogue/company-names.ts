import { editDistance, normalise } from './text.ts';
import type { CatalogueCompany, Category } from './schema.ts';

export type CompanyMatch = { company: CatalogueCompany; category: Category; similarity: number };
type Named = {
  company: CatalogueCompany;
  category: Category;
  name: string;
  grams: ReadonlySet<string>;
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
/** Two names within two edits or alike enough have at least this many letter pairs in common. */
const SHARED = 2;

/** A finder of companies by name, former name or domain: exact names first, then alike ones, at least `LEAST` similar. */
export function companyFinder(categories: readonly Category[]): (name: string, limit?: number) => CompanyMatch[] {
  const named = categories.flatMap((category) =>
    category.companies.flatMap((company) =>
      [company.name, ...(company.formerly ?? [])].map((written, place): Named => {
        const name = squeeze(written);
        return { company, category, name, grams: gramsOf(name), worth: place === 0 ? 1 : FORMER };
      }),
    ),
  );
  const byAddress = new Map<string, Named>();
  const byGram = new Map<string, number[]>();
  for (const [at, entry] of named.entries()) {
    for (const gram of entry.grams) push(byGram, gram, at);
    if (entry.worth < 1) continue;
    const { domain, id } = entry.company;
    for (const address of [domain, id, squeeze(domain), squeeze(domain.split('.')[0] ?? '')])
      if (!byAddress.has(address)) byAddress.set(address, entry);
  }

  const alike = (wanted: string): Map<Named, number> => {
    const grams = gramsOf(wanted);
    const shared = new Map<number, number>();
    for (const gram of grams) for (const at of byGram.get(gram) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
    const found = new Map<Named, number>();
    for (const [at, count] of shared) {
      const entry = named[at];
      if (!entry || count < SHARED) continue;
      found.set(entry, entry.worth * (entry.name === wanted ? 1 : 0.95 * Math.max(dice(grams, entry.grams), closeness(wanted, entry.name))));
    }
    return found;
  };

  return (name, limit = 5) => {
    const wanted = squeeze(name);
    const domain = bareDomain(name);
    if (wanted.length === 0) return [];
    const found = alike(wanted);
    const addressed = byAddress.get(domain) ?? byAddress.get(wanted);
    if (addressed) found.set(addressed, Math.max(found.get(addressed) ?? 0, byAddress.has(domain) && domain.includes('.') ? 1 : 0.97));
    const best = new Map<string, CompanyMatch>();
    for (const [{ company, category }, similarity] of found) {
      if (similarity >= LEAST && similarity > (best.get(company.id)?.similarity ?? 0)) best.set(company.id, { company, category, similarity });
    }
    return [...best.values()]
      .sort((left, right) => right.similarity - left.similarity || (left.company.id < right.company.id ? -1 : 1))
      .slice(0, limit);
  };
}
