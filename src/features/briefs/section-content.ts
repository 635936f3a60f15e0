import { z } from 'zod';
import { FeatureTier } from '#features/research';
import type { SectionType } from './states.ts';

const EvidenceIds = z.array(z.uuid());

/** A statement and the evidence it rests on, of which there is always some. */
export const Cited = z.object({ text: z.string(), evidence_ids: EvidenceIds });
export type Cited = z.output<typeof Cited>;

/** How much of what the idea asks for a product does already. */
export const Closeness = z.enum(['does_most', 'does_part', 'neighbour']);
export type Closeness = z.output<typeof Closeness>;

export const MarketMap = z.object({
  category: z.string(),
  subcategory: z.string(),
  market_type: z.string(),
  summary: z.array(Cited),
  audience: z.array(Cited),
  segments: z.array(
    z.object({
      closeness: Closeness,
      title: z.string(),
      rivals: z.array(z.object({ id: z.string(), name: z.string() })),
      note: Cited.nullable(),
      evidence_ids: EvidenceIds,
    }),
  ),
  /** Where each product stands: per cent of what is asked for that it covers, and how many of the known features it has. */
  positions: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      is_incumbent: z.boolean(),
      overlap: z.number().min(0).max(100),
      breadth: z.int(),
      evidence_ids: EvidenceIds,
    }),
  ),
  counts: z.object({ products: z.int(), incumbents: z.int(), emerging: z.int(), paid: z.int(), free: z.int(), features: z.int() }),
});
export type MarketMap = z.output<typeof MarketMap>;

export const Rival = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().nullable(),
  description: z.string(),
  founded: z.int().nullable(),
  pricing: z.string().nullable(),
  funding: z.string().nullable(),
  /** 0 to 1: how much of what the idea asks for it does already. */
  overlap: z.number().min(0).max(1),
  strengths: z.array(Cited),
  weaknesses: z.array(Cited),
  /** What follows from it for this idea. */
  meaning: Cited.nullable(),
  evidence_ids: EvidenceIds,
});
export type Rival = z.output<typeof Rival>;

/** `differentiate`: few or none have it; `match`: asked for, and others have it; `expected`: not asked for, but missed by whoever comes from a rival. */
export const Priority = z.enum(['differentiate', 'match', 'expected', 'option', 'later']);
export type Priority = z.output<typeof Priority>;

export const BriefFeature = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tier: FeatureTier,
  held_by: z.array(z.string()),
  /** Share of the known products that have it, 0 to 1. */
  frequency: z.number().min(0).max(1),
  asked_for: z.boolean(),
  priority: Priority,
  reason: Cited.nullable(),
  evidence_ids: EvidenceIds,
});
export type BriefFeature = z.output<typeof BriefFeature>;

export const MarketGap = z.object({
  id: z.string(),
  title: z.string(),
  feature_ids: z.array(z.string()),
  /** Products that come nearest to closing it. */
  nearest: z.array(z.string()),
  description: Cited,
  /** Why it may stand open for a reason. */
  caution: Cited.nullable(),
  evidence_ids: EvidenceIds,
});
export type MarketGap = z.output<typeof MarketGap>;

export const Positioning = z.object({
  target_user: z.string(),
  category: z.string(),
  statement: Cited.nullable(),
  pillars: z.array(Cited),
  against: z.array(z.object({ rival_id: z.string(), name: z.string(), line: Cited.nullable(), evidence_ids: EvidenceIds })),
  objections: z.array(Cited),
});
export type Positioning = z.output<typeof Positioning>;

const BuildChoice = z.object({ id: z.string(), label: z.string(), reason: Cited.nullable(), evidence_ids: EvidenceIds });

export const MvpAngle = z.object({
  wedge: Cited.nullable(),
  build_first: z.array(BuildChoice),
  leave_out: z.array(BuildChoice),
  /** The cheapest test that would settle most; its numbers are a plan, nothing that was found. */
  first_test: z.object({ title: z.string(), how: z.string(), success_signal: z.string() }).nullable(),
  assumptions: z.array(z.object({ text: z.string(), why_it_matters: z.string() })),
  risks: z.array(Cited),
});
export type MvpAngle = z.output<typeof MvpAngle>;

export const SECTION_SHAPES = {
  market_map: MarketMap,
  incumbents: z.array(Rival),
  emerging: z.array(Rival),
  features: z.array(BriefFeature),
  market_gaps: z.array(MarketGap),
  positioning: Positioning,
  mvp_angle: MvpAngle,
} as const satisfies Record<SectionType, z.ZodType>;

export type SectionContents = { [S in SectionType]: z.output<(typeof SECTION_SHAPES)[S]> };
export type SectionContent = SectionContents[SectionType];
