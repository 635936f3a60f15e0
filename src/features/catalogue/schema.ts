import { z } from 'zod';
import { FOREIGN_LANGUAGES } from './lexicon.ts';

const Slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a kebab-case slug');
const Phrase = z.string().trim().min(3).max(140);

export const Segment = z.enum(['consumer', 'creator', 'small_business', 'enterprise', 'developer', 'industry']);
export type Segment = z.output<typeof Segment>;

export const MarketType = z.enum(['b2c', 'b2b', 'b2b2c', 'marketplace', 'prosumer', 'developer']);
export type MarketType = z.output<typeof MarketType>;

const Pricing = z.enum([
  'free',
  'freemium',
  'subscription',
  'one_time',
  'usage_based',
  'commission',
  'quote',
  'open_source',
  'open_core',
  'hardware',
  'advertising',
]);

/** A feature of a market's vocabulary: what users of that market recognise and compare. */
export const CatalogueFeature = z.strictObject({
  id: Slug,
  name: z.string().min(3).max(60),
  description: z.string().min(10).max(200),
  /** Words and short phrases by which people ask for it. */
  terms: z.array(z.string().min(2).max(60)).min(2).max(16),
});
export type CatalogueFeature = z.output<typeof CatalogueFeature>;

export const CatalogueCompany = z.strictObject({
  id: Slug,
  name: z.string().min(1).max(60),
  /** Names it had before, under which people still look for it. */
  formerly: z.array(z.string().min(2).max(60)).optional(),
  domain: z.string().regex(/^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a bare lower-case domain'),
  founded: z.int().min(1800).max(2026).nullable(),
  standing: z.enum(['incumbent', 'emerging']),
  pricing: Pricing,
  /** Publicly known ownership or funding in a few words, or null. */
  funding: z.string().min(3).max(120).nullable(),
  summary: z.string().min(20).max(200),
  /** Ids from the category's own features: those the product really has. */
  features: z.array(Slug).min(1),
});
export type CatalogueCompany = z.output<typeof CatalogueCompany>;

/** One market: one file in `data/<segment>/<id>.json`. */
export const Category = z.strictObject({
  id: Slug,
  name: z.string().min(3).max(60),
  segment: Segment,
  /** A narrow market, which a text has to speak of more plainly than of a broad one to be meant. */
  niche: z.boolean().optional(),
  market_type: MarketType,
  aliases: z.array(z.string().min(2).max(60)).min(2),
  audience: z.array(z.string().min(3).max(80)).min(2).max(6),
  use_cases: z.array(Phrase).min(3).max(8),
  /** What someone with the problem says, in their own words and without the label of the market. */
  needs: z.array(Phrase).min(10),
  needs_by_language: z.strictObject({
    es: z.array(Phrase).min(3),
    de: z.array(Phrase).min(3),
    fr: z.array(Phrase).min(3),
    pt: z.array(Phrase).min(3),
  }),
  /** Single words and short terms that speak for this market and hardly for another. */
  keywords: z.array(z.string().min(2).max(40)).min(8),
  features: z.array(CatalogueFeature).min(8).max(15),
  companies: z.array(CatalogueCompany).min(1),
  /** Companies of other files that also serve this market, with the features they have here and their place among its own. */
  also: z.array(z.strictObject({ company: Slug, features: z.array(Slug).min(1), place: z.int().min(0).optional() })).default([]),
  /** By need, whom somebody who stands before exactly this would be pointed to first: companies of this file and of `also`. */
  answered_by: z.record(Phrase, z.array(Slug).min(1)).default({}),
  /** By the language spoken there, whom somebody there would be pointed to first, where they are others than elsewhere. */
  locally: z.partialRecord(z.enum(FOREIGN_LANGUAGES), z.array(Slug).min(1)).default({}),
});
export type Category = z.output<typeof Category>;
