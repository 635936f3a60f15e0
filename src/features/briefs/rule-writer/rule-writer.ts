import type { SectionContents } from '../section-content.ts';
import { SECTION_TYPES, type SectionType } from '../states.ts';
import type { BriefCase, BriefWriter } from '../writer.ts';
import { featureSection } from './features.ts';
import { marketGaps } from './market-gaps.ts';
import { marketMap } from './market-map.ts';
import { marketOf, type Market } from './market.ts';
import { mvpAngle } from './mvp-angle.ts';
import { positioning } from './positioning.ts';
import { rivalSection } from './rivals.ts';

const WRITERS: { [S in SectionType]: (market: Market, take: number) => SectionContents[S] } = {
  market_map: marketMap,
  incumbents: (market, take) => rivalSection(market, market.incumbents, take),
  emerging: (market, take) => rivalSection(market, market.emerging, take),
  features: featureSection,
  market_gaps: marketGaps,
  positioning,
  mvp_angle: mvpAngle,
};

/** A section from what the research established, by rules alone. */
export const writeByRule = <S extends SectionType>(section: S, { artifact, take }: BriefCase): SectionContents[S] =>
  WRITERS[section](marketOf(artifact), take);

/** The writer that needs no model: the same research and take give the same section. */
export const ruleWriter = (): BriefWriter => ({
  engine: { analyst: 'rule', provider: null, model: null },
  groups: SECTION_TYPES.map((section) => [section]),
  write: async (sections, about) => Object.fromEntries(sections.map((section) => [section, { content: writeByRule(section, about), dropped: 0 }])),
});
