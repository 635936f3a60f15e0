import type { ResearchArtifact } from '#features/research';
import { rivalsOf } from './competitor-map.ts';

type Market = Pick<ResearchArtifact, 'incumbents' | 'emerging' | 'features'>;
type MatrixRow = { feature: Market['features'][number]; holds: boolean[] };
type Matrix = { rivals: Market['incumbents']; rows: MatrixRow[] };

const ORDER = ['table_stakes', 'common', 'rare', 'only_this_idea'];

/** Features against rivals: what the idea asks for first, then the commonest. @param columns how many rivals at most, nearest first */
export function featureMatrix(market: Market, columns: number): Matrix {
  const rivals = rivalsOf(market).slice(0, columns);
  const features = [...market.features].sort(
    (left, right) =>
      Number(right.asked_for) - Number(left.asked_for) || ORDER.indexOf(left.tier) - ORDER.indexOf(right.tier) || right.frequency - left.frequency,
  );
  return { rivals, rows: features.map((feature) => ({ feature, holds: rivals.map(({ id }) => feature.held_by.includes(id)) })) };
}
