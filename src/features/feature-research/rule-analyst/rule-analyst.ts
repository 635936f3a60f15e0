import type { FeatureAnalyst } from '../analyst.ts';
import { analyzeFeature } from './analyze-feature.ts';
import { counselOf } from './counsel.ts';

/** The analyst that needs no key and no network: rules over the catalogue, the knowledge library and whatever was found. */
export function ruleAnalyst(): FeatureAnalyst {
  return {
    kind: 'rule',
    together: 1,
    analyze: async (cases) => cases.map(analyzeFeature),
    counsel: async (about) => counselOf(about),
  };
}
