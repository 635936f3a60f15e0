import type { CatalogueIndex } from './catalogue-index.ts';
import type { Query, QueryTerm } from './query.ts';

/** A market that answers a query. */
export type Hit = {
  category: number;
  score: number;
  /** Its units that say anything of the query. */
  matches: readonly UnitMatch[];
  /** Those that tell why it was found, best first. */
  units: readonly number[];
};

/** The phrases of the catalogue that say anything of a query, a column per property, in no order. */
export type UnitMatches = {
  length: number;
  /** Positions in the index. */
  units: Int32Array;
  /** Weight of the query found in the unit. */
  found: Float64Array;
  /** Share of the unit's own weight found in the query, 0..1. */
  covered: Float64Array;
};

/** What a term of a query weighs. */
export const weightOf = (term: QueryTerm): number => term.strength * term.mass;

/** Per unit of an index, one more than its place among the matches at hand; all zero between two searches. */
const slots = new WeakMap<CatalogueIndex, Int32Array>();

function slotsOf(index: CatalogueIndex): Int32Array {
  const places = slots.get(index) ?? new Int32Array(index.units.length);
  slots.set(index, places);
  return places;
}

/** The units that say any of a query's terms; of several words for one term, the one that counts most. */
export function matchUnits(query: Query, index: CatalogueIndex): UnitMatches {
  const { values, ends } = index.unitLists;
  const { weights } = index;
  const most = query.terms.reduce(
    (sum, { alternatives }) => sum + alternatives.reduce((all, { term }) => all + (ends[term + 1] ?? 0) - (ends[term] ?? 0), 0),
    0,
  );
  const [units, found, covered] = [new Int32Array(most), new Float64Array(most), new Float64Array(most)];
  // What the term at hand, whose number `of` holds, has added to each match so far.
  const [of, best, own] = [new Int16Array(most), new Float64Array(most), new Float64Array(most)];
  const places = slotsOf(index);
  let matched = 0;
  for (const [number, term] of query.terms.entries()) {
    const worth = weightOf(term);
    for (const { term: id, weight } of term.alternatives) {
      const said = (weights[id] ?? 0) * weight;
      const end = ends[id + 1] ?? 0;
      for (let entry = ends[id] ?? 0; entry < end; entry += 1) {
        const unit = values[entry] ?? 0;
        let at = (places[unit] ?? 0) - 1;
        if (at < 0) {
          at = matched;
          matched += 1;
          places[unit] = matched;
          units[at] = unit;
          of[at] = number;
        } else if (of[at] !== number) {
          of[at] = number;
          best[at] = 0;
          own[at] = 0;
        }
        const before = best[at] ?? 0;
        if (weight > before) {
          found[at] = (found[at] ?? 0) + worth * (weight - before);
          best[at] = weight;
        }
        const saidBefore = own[at] ?? 0;
        if (said > saidBefore) {
          covered[at] = (covered[at] ?? 0) + said - saidBefore;
          own[at] = said;
        }
      }
    }
  }
  for (let at = 0; at < matched; at += 1) {
    const unit = units[at] ?? 0;
    const mass = index.units.masses[unit] ?? 0;
    places[unit] = 0;
    covered[at] = mass > 0 ? Math.min(1, (covered[at] ?? 0) / mass) : 0;
  }
  return { length: matched, units, found, covered };
}

/** How well one phrase of a market answers a query. */
export type UnitMatch = { unit: number; found: number; covered: number };

/** The matches of some markets, by market. */
export function matchesOf(
  categories: readonly number[],
  { length, units, found, covered }: UnitMatches,
  index: CatalogueIndex,
): Map<number, UnitMatch[]> {
  const matches = new Map(categories.map((category) => [category, [] as UnitMatch[]]));
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] ?? 0;
    matches.get(index.units.categories[unit] ?? -1)?.push({ unit, found: found[at] ?? 0, covered: covered[at] ?? 0 });
  }
  return matches;
}
