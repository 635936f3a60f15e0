import { mapOf } from '#lib/map-of.ts';
import type { Competitor } from './schema.ts';

type Priced = Pick<Competitor, 'pricing'>;

/** Whether a rival can be had without paying; where its pricing is not known it is neither free nor paid. */
export const isFree = ({ pricing }: Priced): boolean => /^(?:free|open.?source|advertising)$/i.test(pricing ?? '');
export const isPaid = (rival: Priced): boolean => rival.pricing !== null && !isFree(rival);

const PRICING = mapOf<string>({
  free: 'free',
  open_source: 'open source',
  advertising: 'paid for by advertising',
  freemium: 'with a free tier beside paid plans',
  subscription: 'by subscription',
  quote: 'by individual quote',
  usage_based: 'by usage',
  commission: 'by commission',
  one_time: 'once per purchase',
  open_core: 'with paid plans around an open-source core',
  hardware: 'with the hardware',
});

/** How a rival charges, as it can follow its name. */
export const pricingWords = (pricing: string): string => PRICING.get(pricing) ?? pricing.replaceAll('_', ' ');
