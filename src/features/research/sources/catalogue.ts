import { openCatalogue, UNKNOWN_BELOW, type CatalogueAnswer } from '#features/catalogue';
import { listOf } from '#lib/text.ts';
import { stableId } from '#lib/ids.ts';
import { chooseMarkets } from '../rule-analyst/markets.ts';
import type { Finding, Interpretation, Told } from '../analyst.ts';
import type { Source } from './source.ts';

/** Companies of further markets; of the first one all are gathered, since what is said of the market rests on them. */
const NEIGHBOURS = 8;
/** What the catalogue says was checked when it was written, not now. */
const BACKFILLED = { confidence: 0.5, freshness: 0.5 };

/** The catalogue that ships with the product: the companies and features of the markets an idea touches. */
export const searchCatalogue: Source = {
  name: 'catalogue',
  seconds: 5,
  computes: true,
  search: async ({ job, ctx, analyst }, about) => {
    const told = analyst.engine.analyst === 'model' ? chosenBy(about) : about.told;
    if (told?.markets?.length === 0) return { findings: [], found: 0, warning: null };
    const { answer } = chooseMarkets(job.idea, told);
    if (answer.confidence < UNKNOWN_BELOW) return { findings: [], found: 0, warning: null };
    const wanted = new Set(about.categoryIds.length > 0 ? about.categoryIds : answer.categories.map(({ category }) => category.id));
    // A company of another market is a rival as well when it is nearer to the idea than every one of its own.
    const bar = answer.companies.find(({ category }) => wanted.has(category.id))?.score ?? 1;
    const companies = answer.companies.filter(({ category, score }) => wanted.has(category.id) || score > bar);
    const features = answer.features.filter(({ category }) => wanted.has(category.id));
    const at = { jobId: job.id, now: ctx.clock.now().toISOString() };
    const findings = [
      ...gathered(companies, about.categoryIds[0]).map((entry) => companyFinding(entry, at)),
      ...features.map((entry) => featureFinding(entry, at)),
    ];
    return { findings, found: companies.length + features.length, warning: null };
  },
};

/** What a model understood decides like what a user says, who has the last word: its markets, or none. */
const chosenBy = ({ categoryIds, askedFor, unasked, told }: Interpretation): Told => ({
  markets: categoryIds,
  ...(askedFor.length > 0 ? { askedFor: askedFor.map(({ label }) => label) } : {}),
  ...(unasked ? { unasked } : {}),
  ...told,
});

type At = { jobId: string; now: string };

function companyFinding({ company, category, features, score }: CatalogueAnswer['companies'][number], { jobId, now }: At): Finding {
  const names = features.flatMap((id) => category.features.find((feature) => feature.id === id)?.name ?? []);
  const facts = [
    company.founded ? `Founded ${company.founded}.` : '',
    `Pricing: ${company.pricing.replaceAll('_', ' ')}.`,
    company.funding ? `${company.funding}.` : '',
  ].filter(Boolean);
  const text = `${company.summary} Market: ${category.name}. Known features: ${listOf(names)}. ${facts.join(' ')}`;
  return {
    id: stableId(`${jobId} company ${company.id}`),
    kind: 'canonical_company',
    url: `https://${company.domain}`,
    title: company.name,
    snippet: company.summary,
    text,
    ...BACKFILLED,
    fetchedAt: now,
    facts: {
      kind: 'company',
      companyId: company.id,
      categoryId: category.id,
      name: company.name,
      domain: company.domain,
      founded: company.founded,
      standing: company.standing,
      pricing: company.pricing,
      funding: company.funding,
      summary: company.summary,
      featureIds: features,
      relevance: score,
    },
  };
}

function featureFinding({ feature, category, certainty, heldBy }: CatalogueAnswer['features'][number], { jobId, now }: At): Finding {
  const names = heldBy.flatMap((id) => openCatalogue().company(id)?.company.name ?? []);
  return {
    id: stableId(`${jobId} feature ${category.id} ${feature.id}`),
    kind: 'canonical_feature',
    url: null,
    title: `${feature.name} (${category.name})`,
    snippet: feature.description,
    text: `${feature.description} In ${category.name}, known to have it: ${names.length > 0 ? listOf(names) : 'nobody'}.`,
    ...BACKFILLED,
    fetchedAt: now,
    facts: {
      kind: 'feature',
      featureId: feature.id,
      categoryId: category.id,
      name: feature.name,
      description: feature.description,
      certainty,
      heldBy,
    },
  };
}

/** Everybody in the first market, and the nearest of the others. */
function gathered(companies: CatalogueAnswer['companies'], first: string | undefined): CatalogueAnswer['companies'] {
  const own = companies.filter(({ category }) => category.id === first || first === undefined);
  return [...own, ...companies.filter((entry) => !own.includes(entry)).slice(0, NEIGHBOURS)].sort((left, right) => right.score - left.score);
}
