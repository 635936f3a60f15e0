import type { ResearchArtifact } from '#features/research';
import { count, listOf } from '#lib/text.ts';
import type { Colours } from '#platform/ports/charts/colours.ts';
import { scatter } from '#platform/ports/charts/scatter.ts';
import { percentOf } from './words.ts';

type Market = Pick<ResearchArtifact, 'incumbents' | 'emerging' | 'features'>;
type Rival = Market['incumbents'][number];

/** Every known rival, the nearest to the idea first. */
export const rivalsOf = ({ incumbents, emerging }: Market): Rival[] =>
  [...incumbents, ...emerging].sort((left, right) => right.overlap - left.overlap || right.features.length - left.features.length);

export type Position = { name: string; established: boolean; overlap: number; features: number };
type Size = { width: number; height: number };
export type DrawnMap = { svg: string; unnamed: string[] };

/** @returns null without rivals */
export function competitorMap(market: Market, colours: Colours, size: Size): DrawnMap | null {
  return positionsMap(positionsOf(market), colours, size);
}

/**
 * Where products stand: across, how much of what the idea asks for each covers (0 to 1); up, how many of the market's
 * features it is known to have.
 * @returns null without products; `unnamed` are those whose names found no room
 */
export function positionsMap(positions: readonly Position[], colours: Colours, size: Size): DrawnMap | null {
  if (positions.length === 0) return null;
  const narrow = size.width < 480;
  const high = Math.max(...positions.map(({ features }) => features)) + 0.6;
  return scatter(
    {
      about: mapInWords(positions),
      points: positions.map(({ name, overlap, features, established }) => ({
        label: name,
        x: overlap,
        y: features,
        group: established ? 'first' : 'second',
      })),
      x: { title: narrow ? 'Covers of the idea' : 'Share of the idea that it covers', max: 1, format: percentOf },
      y: { title: narrow ? 'Market features it has' : 'Features of this market that it is known to have', max: high, format: String },
    },
    colours,
    size,
  );
}

export function positionsOf(market: Market): Position[] {
  const known = new Set(market.features.map(({ id }) => id));
  return rivalsOf(market).map(({ name, is_incumbent: established, overlap, features }) => ({
    name,
    established,
    overlap,
    features: features.filter((id) => known.has(id)).length,
  }));
}

/** The map in a sentence, for those who do not see it. */
export function mapInWords(positions: readonly Position[]): string {
  const near = positions.slice(0, 3).map(({ name, overlap }) => `${name} ${percentOf(overlap)}`);
  return `Map of ${count(positions.length, 'product')} by how much of the idea they cover and how many features of the market they have. Nearest to the idea: ${listOf(near)}.`;
}
