export { citationsOf, type Citations } from './citations.ts';
export { competitorMap, mapInWords, positionsMap, positionsOf, rivalsOf, type DrawnMap, type Position } from './competitor-map.ts';
export { featureMatrix } from './matrix.ts';
export { SHARE_IMAGE, shareImage, type Card } from './share-image.ts';
export {
  dayOf,
  engineInWords,
  furtherAgainst,
  gatheredInWords,
  heldInWords,
  inWords,
  KINDS,
  PARTS,
  percentOf,
  TIERS,
  VERDICT_ROLES,
  verdictLine,
  VERDICTS,
} from './words.ts';
