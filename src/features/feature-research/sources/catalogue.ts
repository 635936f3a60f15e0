import { openCatalogue } from '#features/catalogue';
import { listOf } from '#lib/text.ts';
import type { EvidenceSource, Scoped } from '../analyst.ts';
import { companySourceId, featureSourceId, featureUrl } from '../source-ids.ts';
import type { Source } from './source.ts';

/** What the catalogue says was checked when it was written, not now. */
const BACKFILLED = 0.5;

/** The catalogue's own words on each feature and on the companies that have it. */
export const lookUpCatalogue: Source = {
  name: 'catalogue',
  seconds: 5,
  search: async ({ job, research }, { features }) => {
    const known = new Set(research?.evidence.flatMap(({ source_url: url }) => url ?? []));
    const found = features.map((feature) => ({
      featureId: feature.id,
      sources: [
        ...featureSource(job.id, feature),
        ...feature.companyIds.flatMap((id) => companySource(job.id, id, feature.marketId)).filter(({ url }) => !known.has(url)),
      ],
    }));
    return { found, warning: null };
  },
};

function featureSource(jobId: string, { canonical, marketId, companyIds, holders, rivalsKnown }: Scoped): EvidenceSource[] {
  if (!canonical || !marketId) return [];
  const names = companyIds.flatMap((id) => openCatalogue().company(id)?.company.name ?? []);
  return [
    {
      id: featureSourceId(jobId, marketId, canonical.id),
      url: featureUrl(marketId, canonical.id),
      kind: 'canonical_feature',
      title: `${canonical.name} (${canonical.market})`,
      snippet: canonical.description,
      confidence: BACKFILLED,
      text: `${canonical.description} Market: ${canonical.market}. ${holders} of ${rivalsKnown} known products have it. Having it: ${names.length > 0 ? listOf(names) : 'nobody known'}.`,
      topicId: null,
      companyId: null,
    },
  ];
}

function companySource(jobId: string, id: string, marketId: string | null): EvidenceSource[] {
  const found = openCatalogue().company(id);
  if (!found) return [];
  const { company, category } = found;
  const market = marketId ? (openCatalogue().category(marketId) ?? category) : category;
  const held = market.id === category.id ? company.features : (market.also.find((link) => link.company === id)?.features ?? []);
  const names = held.flatMap((feature) => market.features.find((entry) => entry.id === feature)?.name ?? []);
  const facts = [
    company.founded ? `Founded ${company.founded}.` : '',
    `Pricing: ${company.pricing.replaceAll('_', ' ')}.`,
    company.funding ? `${company.funding}.` : '',
  ];
  return [
    {
      id: companySourceId(jobId, id),
      url: `https://${company.domain}`,
      kind: 'canonical_company',
      title: company.name,
      snippet: company.summary,
      confidence: BACKFILLED,
      text: `${company.summary} In ${market.name} it has: ${listOf(names)}. ${facts.filter(Boolean).join(' ')}`,
      topicId: null,
      companyId: id,
    },
  ];
}
