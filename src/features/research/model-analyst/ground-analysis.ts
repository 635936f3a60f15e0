import { coverageOf, coveredShare } from '#lib/coverage.ts';
import { shorten, slugify } from '#lib/text.ts';
import type { Analysis, Finding, Interpretation } from '../analyst.ts';
import { siteOf } from '../grounding/addresses.ts';
import type { AnalyzeAnswer } from '../prompts/analyze.ts';
import type { Material } from '../prompts/material.ts';
import { analyzeMarket } from '../rule-analyst/analyze.ts';
import { marketFeatures, tierOf } from '../rule-analyst/market-features.ts';
import type { Competitor, MarketFeature } from '../schema.ts';

type Named = AnalyzeAnswer['competitors'][number];

const INCUMBENTS = 10;
const EMERGING = 6;
const DESCRIPTION = 300;

const NOTHING: Analysis = { incumbents: [], emerging: [], features: [], audience: [], useCases: [], marketEvidenceIds: [] };

/**
 * A model's answer joined with what the findings know in structured form. Of a known company everything but the description
 * comes from the facts; known companies that the model passed over follow the ones it named. An answer that names nothing
 * stays empty, so that it is asked for again.
 */
export function groundAnalysis(about: Interpretation, answer: AnalyzeAnswer, material: Material, findings: readonly Finding[]): Analysis {
  if (answer.competitors.length + answer.features.length === 0) return NOTHING;
  const facts = analyzeMarket(about, findings);
  const known = new Set(findings.flatMap((finding) => (finding.facts?.kind === 'feature' ? [finding.facts.featureId] : [])));
  const added = answer.features.map((feature) => ({ ...feature, id: slugify(feature.id) })).filter((feature) => !known.has(feature.id));
  const companies = new Set(findings.flatMap((finding) => (finding.facts?.kind === 'company' ? [finding.facts.companyId] : [])));
  const sites = new Set(findings.map(({ url }) => siteOf(url)));
  const vocabulary: Vocabulary = { added: new Set(added.map((feature) => feature.id)), known, companies, sites };
  const rivals = mergeRivals(answer.competitors, facts, material, vocabulary);
  const incumbents = rivals.filter((rival) => rival.is_incumbent).slice(0, INCUMBENTS);
  const emerging = rivals.filter((rival) => !rival.is_incumbent).slice(0, EMERGING);
  const all = [...incumbents, ...emerging];
  const features = firstOfEach([...marketFeatures(about, all, findings), ...added.map((feature) => addedFeature(feature, all, material))]);
  settleReferences(all, features);
  return {
    incumbents,
    emerging,
    features,
    audience: answer.audience.length > 0 ? answer.audience : facts.audience,
    useCases: answer.use_cases.length > 0 ? answer.use_cases : facts.useCases,
    marketEvidenceIds: answer.market_evidence.length > 0 ? unique(answer.market_evidence.map(material.idOf)) : facts.marketEvidenceIds,
  };
}

/** Ids of features that the model added, of those the market is known to have, of known companies; the sites of the findings. */
type Vocabulary = { added: ReadonlySet<string>; known: ReadonlySet<string>; companies: ReadonlySet<string>; sites: ReadonlySet<string> };

function mergeRivals(named: readonly Named[], facts: Analysis, material: Material, vocabulary: Vocabulary): Competitor[] {
  const certain = [...facts.incumbents, ...facts.emerging].map((rival) => ({ rival, written: letters(rival.name) }));
  const rivals = new Map<string, Competitor>();
  for (const entry of named) {
    const cited = entry.evidence.map(material.idOf);
    const asked = { entry, written: letters(entry.name), cited };
    const match = certain.find((one) => isSame(one, asked))?.rival;
    const rival = match ? knownRival(match, entry, cited, vocabulary) : newRival(entry, cited, vocabulary);
    if (!rivals.has(rival.id)) rivals.set(rival.id, rival);
  }
  for (const { rival } of certain) if (vocabulary.companies.has(rival.id) && !rivals.has(rival.id)) rivals.set(rival.id, { ...rival });
  return [...rivals.values()];
}

const letters = (text: string): string => slugify(text).replaceAll('-', '');

function isSame(
  { rival, written }: { rival: Competitor; written: string },
  named: { entry: Named; written: string; cited: readonly string[] },
): boolean {
  if (written === named.written) return true;
  const sharesSource = named.cited.includes(rival.evidence_ids[0] ?? '');
  const site = siteOf(named.entry.url);
  return sharesSource && ((site !== '' && site === siteOf(rival.url)) || named.written.startsWith(written));
}

const firstOfEach = (features: readonly MarketFeature[]): MarketFeature[] =>
  features.filter((feature, index) => features.findIndex(({ id }) => id === feature.id) === index);

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

const knownRival = (rival: Competitor, entry: Named, cited: readonly string[], { added, sites }: Vocabulary): Competitor => ({
  ...rival,
  // An address from nowhere is left for the evidence lock to catch and count.
  url: entry.url !== null && !sites.has(siteOf(entry.url)) ? entry.url : rival.url,
  description: shorten(entry.description, DESCRIPTION) || rival.description,
  features: unique([...rival.features, ...entry.features.map((id) => slugify(id)).filter((id) => added.has(id))]),
  evidence_ids: unique([...rival.evidence_ids, ...cited]),
});

const newRival = (entry: Named, cited: readonly string[], { added, known }: Vocabulary): Competitor => ({
  id: slugify(entry.name),
  name: shorten(entry.name, 80),
  description: shorten(entry.description, DESCRIPTION),
  url: entry.url,
  funding: entry.funding,
  is_incumbent: entry.established,
  founded: entry.founded === null ? null : Math.round(entry.founded),
  pricing: entry.pricing,
  features: unique(entry.features.map((id) => slugify(id))).filter((id) => added.has(id) || known.has(id)),
  overlap: 0,
  evidence_ids: unique(cited),
});

function addedFeature(feature: AnalyzeAnswer['features'][number], rivals: readonly Competitor[], material: Material): MarketFeature {
  const holders = rivals.filter((rival) => rival.features.includes(feature.id));
  const frequency = rivals.length > 0 ? holders.length / rivals.length : 0;
  return {
    id: feature.id,
    name: shorten(feature.name, 60),
    description: shorten(feature.description, DESCRIPTION),
    tier: tierOf(frequency),
    frequency,
    held_by: holders.map((holder) => holder.id),
    asked_for: feature.asked_for,
    evidence_ids: unique(feature.evidence.map(material.idOf)),
  };
}

/** Rivals name only features that are listed, and how much each covers follows from those. */
function settleReferences(rivals: readonly Competitor[], features: readonly MarketFeature[]): void {
  const ids = new Set(features.map((feature) => feature.id));
  for (const rival of rivals) {
    rival.features = rival.features.filter((id) => ids.has(id));
    rival.overlap = coveredShare(coverageOf(rival, features));
  }
}
