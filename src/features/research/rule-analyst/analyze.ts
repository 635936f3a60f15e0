import { normaliseText, shorten, slugify } from '#lib/text.ts';
import { coverageOf, coveredShare } from '#lib/coverage.ts';
import { certaintyIn, type Analysis, type Facts, type Finding, type Interpretation } from '../analyst.ts';
import type { Competitor } from '../schema.ts';
import { marketTerms, openCatalogue, stemsOf, termsOf, type FeatureTerms } from '#features/catalogue';
import { marketFeatures, sameFeatures } from './market-features.ts';
import { domainOf, ownPageOf } from './web-products.ts';

/** The nearest rivals, established or not; further challengers follow them. */
const FIRST = 10;
const EMERGING = 6;
const SHOWN = 6;

type Rival = Competitor & { relevance: number; place: number; market: string };

const NEIGHBOUR_PACE = 3;
type CompanyFacts = Extract<Facts, { kind: 'company' }>;

const NOBODY: Analysis = { incumbents: [], emerging: [], features: [], audience: [], useCases: [], marketEvidenceIds: [] };

/**
 * Who is in the market and what they do, from the facts of the findings and from products' own pages; nobody where the market
 * is not sure, since they may be no rivals at all.
 */
export function analyzeMarket(about: Interpretation, findings: readonly Finding[]): Analysis {
  if (certaintyIn(about) !== 'sure') return NOBODY;
  const rivals = findings.flatMap(({ id, facts }, place) => (facts?.kind === 'company' ? [companyRival(facts, id, place)] : []));
  addWeb(rivals, about, findings);
  const ranked = interleave(rivals, about.categoryIds);
  const established = ranked.slice(0, FIRST).filter((rival) => rival.is_incumbent);
  const challengers = ranked.filter((rival) => !rival.is_incumbent).slice(0, Math.max(EMERGING, FIRST - established.length));
  const incumbents = established.map(competitorOf);
  const emerging = challengers.map(competitorOf);
  const all = [...incumbents, ...emerging];
  const names = sameFeatures(findings);
  for (const rival of all) rival.features = [...new Set(rival.features.map((id) => names.get(id) ?? id))];
  const features = marketFeatures(about, all, findings, names);
  const ids = new Set(features.map((feature) => feature.id));
  for (const rival of all) {
    const described = features.filter(({ held_by: holders }) => holders.includes(rival.id)).map(({ id }) => id);
    rival.features = [...new Set([...rival.features.filter((id) => ids.has(id)), ...described])];
    rival.overlap = coveredShare(coverageOf(rival, features));
  }
  const evidence = all.slice(0, SHOWN).flatMap((rival) => rival.evidence_ids.slice(0, 1));
  return { incumbents, emerging, features, ...peopleAndJobs(about), marketEvidenceIds: [...new Set(evidence)] };
}

/** Nearest first; of a second market one after every two of the first, and what belongs to neither by its own relevance. */
function interleave(rivals: readonly Rival[], categoryIds: readonly string[]): Rival[] {
  const sorted = [...rivals].sort((left, right) => right.relevance - left.relevance || left.place - right.place);
  const [, second] = categoryIds;
  if (!second) return sorted;
  const others = sorted.filter(({ market }) => market !== second);
  const neighbours = sorted.filter(({ market }) => market === second);
  return [
    ...others.map((rival, place) => ({ rival, key: place })),
    ...neighbours.map((rival, place) => ({ rival, key: NEIGHBOUR_PACE * (place + 1) - 0.5 })),
  ]
    .sort((left, right) => left.key - right.key)
    .map(({ rival }) => rival);
}

function companyRival(facts: CompanyFacts, evidenceId: string, place: number): Rival {
  return {
    id: facts.companyId,
    name: facts.name,
    description: facts.summary,
    url: `https://${facts.domain}`,
    funding: facts.funding,
    is_incumbent: facts.standing === 'incumbent',
    founded: facts.founded,
    pricing: facts.pricing,
    features: [...new Set(facts.featureIds)],
    overlap: 0,
    evidence_ids: [evidenceId],
    relevance: facts.relevance,
    place,
    market: facts.categoryId,
  };
}

const competitorOf = ({ relevance: _relevance, place: _place, market: _market, ...competitor }: Rival): Competitor => competitor;

const sameName = (left: string, right: string): boolean => slugify(left).replaceAll('-', '') === slugify(right).replaceAll('-', '');

function bareRival(name: string, url: string | null, evidenceId: string, place: number): Rival {
  const id = slugify(domainOf(url) || name);
  const unknown = { funding: null, founded: null, pricing: null, features: [], overlap: 0, relevance: 0.1 };
  return { id, name, url, description: '', is_incumbent: false, evidence_ids: [evidenceId], place, market: '', ...unknown };
}

function addWeb(rivals: Rival[], about: Interpretation, findings: readonly Finding[]): void {
  const vocabulary = about.categoryIds.flatMap((id) => marketTerms(id)?.features ?? []);
  const own = new Set(termsOf(about.normalizedIdea));
  for (const [place, finding] of findings.entries()) {
    if (finding.kind !== 'web') continue;
    const domain = domainOf(finding.url);
    const known = rivals.find((rival) => domainOf(rival.url) === domain);
    if (known) {
      known.evidence_ids.push(finding.id);
      continue;
    }
    const page = ownPageOf(finding);
    if (!page) continue;
    const namesake = rivals.find((rival) => sameName(rival.name, page.name));
    if (namesake) {
      namesake.evidence_ids.push(finding.id);
      continue;
    }
    const text = `${finding.title}. ${finding.snippet} ${finding.text}`;
    const stems = new Set(stemsOf(text));
    const shared = [...own].filter((term) => stems.has(term)).length / Math.max(1, own.size);
    rivals.push({
      ...bareRival(page.name, `https://${page.domain}`, finding.id, place),
      description: shorten(finding.snippet || finding.text, 200),
      features: vocabulary.filter((entry) => speaksOf(text, stems, entry)).map(({ feature }) => feature.id),
      relevance: 0.15 + 0.3 * shared,
    });
  }
}

/** A page names a feature when it writes the feature's name or a phrase for it, or two of its single words. */
function speaksOf(text: string, stems: ReadonlySet<string>, { feature, units }: FeatureTerms): boolean {
  const flat = ` ${normaliseText(text).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const phrases = [feature.name, ...feature.terms].map((term) => normaliseText(term)).filter((term) => term.includes(' '));
  if (phrases.some((term) => flat.includes(` ${term} `))) return true;
  const singles = new Set(units.filter((unit) => unit.length === 1).flat());
  return [...singles].filter((term) => stems.has(term)).length >= 2;
}

/** The market's audience and jobs, those nearest to the idea first. */
function peopleAndJobs(about: Interpretation): { audience: string[]; useCases: string[] } {
  const terms = new Set(termsOf(`${about.normalizedIdea} ${about.targetUser}`));
  const nearest = (lines: readonly string[]): string[] =>
    lines
      .map((line, place) => ({ line, fit: termsOf(line).filter((term) => terms.has(term)).length - place / 100 }))
      .sort((left, right) => right.fit - left.fit)
      .map(({ line }) => line);
  const markets = about.categoryIds.flatMap((id) => openCatalogue().category(id) ?? []);
  const named = about.clarity.user >= 0.9 && about.targetUser ? [about.targetUser] : [];
  const audience = [...named, ...nearest(markets.flatMap((market) => market.audience))].slice(0, SHOWN);
  return { audience: [...new Set(audience)], useCases: nearest(markets.flatMap((market) => market.use_cases)).slice(0, SHOWN) };
}
