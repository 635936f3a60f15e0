import { z } from 'zod';
import { SourceKind } from '#features/research';
import { Timestamp } from '#platform/http/vocabulary.ts';
import { Opening } from './opening.ts';
import { SECTION_SHAPES } from './section-content.ts';
import { BRIEF_STATUSES, SECTION_TYPES } from './states.ts';

export const SectionTypeValue = z.enum(SECTION_TYPES);
const BriefStatusValue = z.enum(BRIEF_STATUSES);

export const CreateBrief = z.object({
  project_id: z.uuid(),
  research_id: z.uuid().nullish(),
  template: z.string().trim().min(1).max(200).nullish(),
});
export const Created = z.object({ brief_id: z.uuid(), status: z.literal('generating') });

export const SectionError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() });
export type SectionError = z.output<typeof SectionError>;

export const Brief = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  research_id: z.uuid().nullable(),
  title: z.string(),
  status: BriefStatusValue,
  revision: z.int(),
  quality_score: z.number().min(0).max(100),
  share_token: z.string(),
  audience: z.string().nullable(),
  template: z.string().nullable(),
  refresh_enabled: z.boolean(),
  error: SectionError.nullable(),
  /** What to know of how it was written, such as a model that was gone. */
  warnings: z.array(z.string()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** Each part 0 to 1; `quality.ts` says what it measures. */
export const QualityParts = z.object({ coverage: z.number(), evidence: z.number(), specificity: z.number() });
export type QualityParts = z.output<typeof QualityParts>;

export const SectionMeta = z.object({
  status: z.enum(['written', 'rewriting', 'failed']),
  quality_score: z.number().min(0).max(100),
  quality: QualityParts,
  generated_at: Timestamp,
  /** The revision of the brief that wrote it, and the research it was written from. */
  revision: z.int(),
  research_id: z.uuid(),
  source_ids: z.array(z.uuid()),
  /** Statements and citations that were dropped because no source bears them out. */
  dropped: z.int(),
  error: SectionError.nullable(),
});

export const Source = z.object({
  id: z.uuid(),
  kind: SourceKind,
  /** A web address, or `catalogue:` and `research:` for what stands in no web. */
  url: z.string(),
  title: z.string(),
  snippet: z.string(),
  confidence: z.number().min(0).max(1).nullable(),
  sections: z.array(SectionTypeValue),
});

export const Progress = z.object({
  title: z.string(),
  items: z.array(z.object({ pr_number: z.int(), pr_url: z.string(), summary: z.string(), appended_at: Timestamp })),
});
export type Progress = z.input<typeof Progress>;

const Sections = z.object(SECTION_SHAPES).partial();

export const FullBrief = Brief.extend({
  /** What matters, from the research as it stands; null when that is gone. */
  opening: Opening.nullable(),
  ...Sections.shape,
  progress: Progress.optional(),
  section_meta: z.partialRecord(SectionTypeValue, SectionMeta),
  sources: z.array(Source),
});

export const Regenerating = z.object({ status: z.literal('regenerating'), section_type: SectionTypeValue, revision: z.int() });

export const SectionChange = z.object({
  section_type: SectionTypeValue,
  change: z.enum(['added', 'modified', 'removed']),
  details: z.object({
    items_added: z.array(z.string()),
    items_removed: z.array(z.string()),
    items_changed: z.array(z.string()),
    words_added: z.int(),
    words_removed: z.int(),
  }),
});
export type SectionChange = z.output<typeof SectionChange>;

export const BriefDiff = z.object({
  from_revision: z.int(),
  to_revision: z.int(),
  /** How many sections differ. */
  changes: z.int(),
  diff: z.array(SectionChange),
});

/** What anyone may see of a brief that is ready. */
export const SharedBrief = FullBrief.omit({ id: true, project_id: true, research_id: true, share_token: true, error: true, template: true }).extend({
  type: z.literal('brief'),
  section_meta: z.partialRecord(SectionTypeValue, SectionMeta.omit({ research_id: true })),
});
