import type { ResearchArtifact } from '#features/research';
import { coverageInWords, coverageOf } from '#lib/coverage.ts';
import { count, listOf, percentOf } from '#lib/text.ts';
import type { Block, Entry, Fact, Matrix, Point } from '#platform/rendering/document.ts';
import type { Cite } from './citations.ts';
import { inWords, TIERS } from './words.ts';

type Market = Pick<ResearchArtifact, 'incumbents' | 'emerging' | 'features'>;
type Rival = Market['incumbents'][number];

const TIER_ORDER = ['table_stakes', 'common', 'rare', 'only_this_idea'];

/** Every known rival, the nearest to the idea first. */
export const rivalsOf = ({ incumbents, emerging }: Market): Rival[] =>
  [...incumbents, ...emerging].sort((left, right) => right.overlap - left.overlap || right.features.length - left.features.length);

/** Where a product stands: how much of the idea it covers, 0 to 1, and how many of the market's features it is known to have. */
export type Position = { name: string; established: boolean; overlap: number; features: number };

export function positionsOf(market: Market): Position[] {
  const known = new Set(market.features.map(({ id }) => id));
  return rivalsOf(market).map(({ name, is_incumbent: established, overlap, features }) => ({
    name,
    established,
    overlap,
    features: features.filter((id) => known.has(id)).length,
  }));
}

/** The map of products. @param positions the nearest to the idea first: those get their names first */
export function positionsMap(positions: readonly Position[]): Block {
  const near = positions.slice(0, 3).map(({ name, overlap }) => `${name} ${percentOf(overlap)}`);
  return {
    kind: 'chart',
    chart: 'scatter',
    about: `Map of ${count(positions.length, 'product')} by how much of what the idea asks for they have and how many features of the market they have. Nearest to the idea: ${listOf(near)}.`,
    caption:
      'The further right, the more of what the idea asks for a product is known to have; the higher, the more of the market’s features it is known to have.',
    groups: ['incumbent', 'emerging'],
    points: positions.map(({ name, overlap, features, established }): Point => ({
      label: name,
      x: overlap,
      y: features,
      group: established ? 'first' : 'second',
    })),
    x: { title: 'Share of what the idea asks for', short: 'Has of what is asked for', max: 1, unit: 'share' },
    y: {
      title: 'Features of this market that it is known to have',
      short: 'Market features it has',
      max: Math.max(0, ...positions.map(({ features }) => features)) + 0.6,
      unit: 'number',
    },
  };
}

type Profiled = Pick<Rival, 'name' | 'url' | 'pricing' | 'founded' | 'funding' | 'evidence_ids'>;

/** A product with its name, its facts and what is said of it. */
export const profileOf = (rival: Profiled, cite: Cite, more: { tags: string[]; facts: Fact[]; blocks: Block[] }): Entry => ({
  title: { text: rival.name, url: rival.url, cites: cite(rival.evidence_ids) },
  tags: more.tags,
  facts: [
    ...more.facts,
    { label: 'Pricing', value: rival.pricing ? inWords(rival.pricing) : '' },
    { label: 'Since', value: rival.founded === null ? '' : String(rival.founded) },
    { label: 'Owner, money', value: rival.funding ?? '' },
  ].filter(({ value }) => value !== ''),
  blocks: more.blocks,
});

export const rivalProfile =
  ({ features }: Market, cite: Cite) =>
  (rival: Rival): Entry =>
    profileOf(rival, cite, {
      tags: [rival.is_incumbent ? 'incumbent' : 'emerging'],
      facts: [
        { label: 'Has', value: coverageInWords(coverageOf(rival, features)) },
        { label: 'Features', value: count(rival.features.length, 'known', 'known') },
      ],
      blocks: [{ kind: 'paragraph', line: { text: rival.description } }],
    });

/** Features against products: what the idea asks for first, then the commonest. */
export function featureMatrix(market: Market, cite: Cite): Matrix {
  const rivals = rivalsOf(market);
  const features = [...market.features].sort(
    (left, right) =>
      Number(right.asked_for) - Number(left.asked_for) ||
      TIER_ORDER.indexOf(left.tier) - TIER_ORDER.indexOf(right.tier) ||
      right.frequency - left.frequency,
  );
  return {
    kind: 'matrix',
    caption: 'Which product is known to have which feature',
    subject: 'Feature',
    columns: [
      { name: 'This idea', own: true, yes: 'asked for', no: 'not asked for' },
      ...rivals.map(({ name }) => ({ name, yes: 'has it', no: 'not recorded' })),
    ],
    key: 'known to have it; a dot means that nothing is recorded, which is not the same as missing. “This idea” is what the text asks for.',
    total: 'Rivals that have it',
    words: { some: 'Has it', none: 'Not recorded of anybody.', about: 'What these features are' },
    rows: features.map((feature) => ({
      name: { text: feature.name, cites: cite(feature.evidence_ids.slice(0, 1)) },
      cites: cite(feature.evidence_ids),
      tags: [TIERS[feature.tier]],
      about: feature.description,
      marks: [feature.asked_for, ...rivals.map(({ id }) => feature.held_by.includes(id))],
      total: feature.held_by.length,
    })),
  };
}

/** What nearly every product has and the idea does not ask for, in a sentence; empty where there is nothing. */
export function unaskedInWords({ features }: Market): string {
  const unasked = features.filter(({ asked_for: asked, tier }) => !asked && tier === 'table_stakes').map(({ name }) => name);
  return unasked.length > 0 ? `Nearly everybody has ${listOf(unasked)}; the idea does not ask for ${unasked.length === 1 ? 'it' : 'them'}.` : '';
}
