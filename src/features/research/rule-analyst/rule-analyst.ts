import type { Analyst } from '../analyst.ts';
import { analyzeMarket } from './analyze.ts';
import { interpretIdea } from './interpret.ts';
import { judgeFindings } from './judge.ts';
import { remixIdea } from './remix.ts';
import { synthesizeReport } from './synthesize.ts';

/** The analyst that needs no key and no network: rules over the text, the catalogue and whatever was found. */
export function ruleAnalyst(): Analyst {
  return {
    engine: { analyst: 'rule', provider: null, model: null },
    interpret: (idea) => interpretIdea(idea),
    judge: async (about, findings) => judgeFindings(about, findings),
    analyze: async (about, findings) => analyzeMarket(about, findings),
    synthesize: async (about, analysis, findings) => synthesizeReport(about, analysis, findings),
    remix: async (about) => remixIdea(about),
  };
}
