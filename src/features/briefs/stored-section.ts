import type { z } from 'zod';
import { defineDocument, type Document } from '#platform/documents/define-document.ts';
import { SECTION_SHAPES, type SectionContent } from './section-content.ts';
import type { SectionType } from './states.ts';

const section = (type: SectionType): Document<SectionContent> =>
  defineDocument(`section ${type}`, SECTION_SHAPES[type] as z.ZodType<SectionContent>, { version: 1, checks: 'older' });

/** The content of each section of a brief as it is stored. */
export const STORED_SECTIONS: Readonly<Record<SectionType, Document<SectionContent>>> = {
  market_map: section('market_map'),
  incumbents: section('incumbents'),
  emerging: section('emerging'),
  features: section('features'),
  market_gaps: section('market_gaps'),
  positioning: section('positioning'),
  mvp_angle: section('mvp_angle'),
};
