import { setImmediate as nextTurn } from 'node:timers/promises';
import { DOUBTFUL_BELOW, openCatalogue, type Category } from '#features/catalogue';
import { count, listOf, normaliseText } from '#lib/text.ts';
import { knowsMarket, type ResearchArtifact } from '#features/research';
import type { Stage } from '#platform/runs/define-pipeline.ts';
import type { Scoped, ScopeOutput } from '../analyst.ts';
import { alsoHeldIn, canonicalFeature, holdersOf, marketsNaming, type Canonical } from '../canonical-feature.ts';
import { matchTopics } from '../match-topics.ts';
import type { FeatureResearchRun } from '../feature-research-run.ts';
import type { SelectedFeature } from '../schema.ts';
import { companySourceId, featureSourceId, topicSourceId } from '../source-ids.ts';

const MARKETS = 3;
const COMPETITORS = 12;
/** Selected features in a market's own words that make it a market of the idea. */
const NAMED_AT_LEAST = 2;

/** What each selected feature is: its word in the catalogue, the topics it comes down to, and who has it. */
export const scope = {
  name: 'scope',
  run: async (run, _before, stage) => {
    const { job, research } = run;
    const markets = marketsOf(job, research);
    const warnings: string[] = [];
    if (job.research_id && !research) warnings.push('The linked research is not completed; competitors are taken from the catalogue instead.');
    if (markets.length === 0) warnings.push('The catalogue does not know the market of this idea, so few competitors can be named.');
    const features: Scoped[] = [];
    for (const feature of job.selected_features) {
      features.push(scopeOf(run, feature, markets));
      // Fifty features are computed in one go; others want to be answered in between.
      await nextTurn();
    }
    const where = markets.length > 0 ? ` in ${listOf(markets.map(({ name }) => name))}` : '';
    await stage.progress(`Placed ${count(features.length, 'feature')}${where}.`);
    for (const warning of warnings) await stage.progress(warning);
    const unmatched = features.filter(({ topics }) => topics.length === 0).map(({ name }) => name);
    if (unmatched.length > 0) warnings.push(`The knowledge library has no topic for: ${unmatched.join('; ')}. What is said of them is thin.`);
    return { markets: markets.map(({ id, name }) => ({ id, name })), features, warnings };
  },
} as const satisfies Stage<FeatureResearchRun, unknown, ScopeOutput>;

function marketsOf({ idea, selected_features: features }: FeatureResearchRun['job'], research: ResearchArtifact | null): Category[] {
  // Of a market that the research does not know, none is looked for again.
  if (research && !knowsMarket(research)) return [];
  const catalogue = openCatalogue();
  const found = research?.classification.category_ids.flatMap((id) => catalogue.category(id) ?? []) ?? [];
  if (found.length > 0) return found;
  const answer = catalogue.search(idea, { limit: MARKETS });
  const told = answer.confidence < DOUBTFUL_BELOW ? [] : answer.categories.map(({ category }) => category);
  return [...new Set([...told, ...marketsNaming(features, NAMED_AT_LEAST).slice(0, MARKETS)])];
}

function scopeOf({ job, research }: FeatureResearchRun, selected: SelectedFeature, markets: readonly Category[]): Scoped {
  const canonical = canonicalFeature(selected, markets);
  const researched = research?.features.find(({ id, name }) => id === selected.id || normaliseText(name) === normaliseText(selected.name));
  const description = canonical?.feature.description ?? researched?.description ?? '';
  const topics = matchTopics({
    name: selected.name,
    description,
    terms: canonical?.ownMarket ? [canonical.feature.name, ...canonical.feature.terms] : [],
  });
  const named = research && researched ? rivalsOf(research, researched.held_by) : [];
  const holders = canonical ? holdersOf(canonical) : { companies: [], known: 0 };
  const elsewhere = canonical ? alsoHeldIn(canonical, markets) : [];
  const companies = [...holders.companies, ...elsewhere].map((company) => ({
    name: company.name,
    url: `https://${company.domain}`,
    companyId: company.id,
    source_ids: [evidenceWith(research, `https://${company.domain}`) ?? companySourceId(job.id, company.id)],
  }));
  const competitors = withoutRepeats([...named, ...companies]).slice(0, COMPETITORS);
  return {
    id: selected.id,
    name: selected.name,
    canonical: canonical && presentCanonical(canonical),
    topics: topics.map(({ topic }) => ({ id: topic.id, name: topic.name })),
    competitors: competitors.map(({ name, url, source_ids }) => ({ name, url, source_ids })),
    source_ids: [
      ...(canonical ? [featureSourceId(job.id, canonical.market.id, canonical.feature.id)] : []),
      ...topics.map(({ topic }) => topicSourceId(job.id, topic.id)),
      ...(researched?.evidence_ids.slice(0, 4) ?? []),
    ],
    description,
    marketId: canonical?.market.id ?? null,
    holders: canonical ? holders.companies.length : named.length,
    rivalsKnown: holders.known || (research?.market.competitors.length ?? 0),
    companyIds: competitors.flatMap(({ companyId }) => companyId ?? []),
  };
}

type Rival = { name: string; url: string; companyId: string | null; source_ids: string[] };

const rivalsOf = ({ market }: ResearchArtifact, ids: readonly string[]): Rival[] =>
  market.competitors
    .filter(({ id }) => ids.includes(id))
    .map(({ name, url, id, evidence_ids: evidence }) => ({
      name,
      url: url ?? '',
      companyId: openCatalogue().company(id) ? id : null,
      source_ids: evidence.slice(0, 3),
    }));

const withoutRepeats = (rivals: readonly Rival[]): Rival[] =>
  rivals.filter(({ name }, place) => rivals.findIndex((other) => normaliseText(other.name) === normaliseText(name)) === place);

const evidenceWith = (research: ResearchArtifact | null, url: string): string | undefined =>
  research?.evidence.find(({ source_url: source }) => source === url)?.id;

const presentCanonical = ({ feature, market, ownMarket }: Canonical): NonNullable<Scoped['canonical']> => ({
  id: feature.id,
  name: feature.name,
  description: feature.description,
  market: market.name,
  own_market: ownMarket,
});
