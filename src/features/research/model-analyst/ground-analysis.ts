import { termsOf } from '#features/catalogue';
import { coverageOf, coveredShare } from '#lib/coverage.ts';
import { capital, collapseSpaces, shorten, slugify } from '#lib/text.ts';
import type { Analysis, Facts, Finding, Interpretation } from '../analyst.ts';
import { siteOf } from '../grounding/addresses.ts';
import { plain } from '../grounding/plain-text.ts';
import type { AnalyzeAnswer } from '../prompts/analyze.ts';
import type { Material } from '../prompts/material.ts';
import { marketFeatures, sameFeatures, tierOf } from '../rule-analyst/market-features.ts';
import type { Competitor, MarketFeature } from '../schema.ts';
import { placeOf } from './read-interpretation.ts';

type Named = AnalyzeAnswer['competitors'][number];
type Company = { facts: Extract<Facts, { kind: 'company' }>; id: string };

const RIVALS = 16;
const DESCRIPTION = 300;
const LOOKED_AT = 8;
const LABEL = 60;
/** Fewer letters are no words that say anything. */
const LEAST_QUOTED = 4;

const NOTHING: Analysis = { incumbents: [], emerging: [], features: [], audience: [], useCases: [], marketEvidenceIds: [] };

/**
 * A model's answer joined with what the findings know in structured form: of a known company its name, address, age, money and
 * features come from the facts; what the model says of it beside that stays where the words it quotes stand in the findings.
 * Nobody is added whom it left out. An answer that names nothing and gives no reason stays empty, so that it is asked for again.
 */
export function groundAnalysis(about: Interpretation, answer: AnalyzeAnswer, material: Material, findings: readonly Finding[]): Analysis {
  const noneBecause = answer.competitors.length === 0 ? collapseSpaces(answer.none_because ?? '') : '';
  if (answer.competitors.length + answer.features.length === 0 && noneBecause === '') return NOTHING;
  const wishes = wishesOf(about, sameFeatures(findings));
  const taken = new Set([...wishes.map(({ id }) => id), ...findings.flatMap(({ facts }) => (facts?.kind === 'feature' ? [facts.featureId] : []))]);
  const added = answer.features.map((feature) => ({ ...feature, id: slugify(feature.id) })).filter(({ id }) => !taken.has(id));
  const meant = (id: string): string => wishes[placeOf(id) - 1]?.id ?? readId(id, material);
  const shownBy = new Map(added.map(({ id, evidence }) => [id, evidence.map(material.idOf)]));
  const rivals = rivalsOf(answer.competitors, { material, findings, meant, shownBy, names: namesOf(wishes, added, findings) });
  const own = wishes.filter(({ isOwn }) => isOwn).map(({ id, label }) => ({ id, name: label, description: '', asked_for: true, evidence: [] }));
  const features = firstOfEach([
    ...marketFeatures({ ...about, askedFor: about.askedFor.filter(({ featureId }) => featureId !== null) }, rivals, findings),
    ...[...own, ...added].map((feature) => featureWith(feature, rivals, material)),
  ]);
  settleReferences(rivals, features);
  return {
    incumbents: rivals.filter((rival) => rival.is_incumbent),
    emerging: rivals.filter((rival) => !rival.is_incumbent),
    features,
    audience: answer.audience,
    useCases: answer.use_cases,
    marketEvidenceIds: unique(answer.market_evidence.map(material.idOf)),
    ...(noneBecause ? { noneBecause } : {}),
  };
}

/** What an idea asks for is there whether or not anything was found. */
export function analyzeAlone(about: Interpretation): Analysis {
  const features = wishesOf(about, new Map()).map(({ id, label }) => askedFeature({ id, name: label, description: '' }, []));
  return { ...NOTHING, features: firstOfEach(features) };
}

/** Something asked for, under the id of the feature that stands for it, or one of its own. */
type Asked = { id: string; label: string; isOwn: boolean };

const wishesOf = ({ askedFor }: Interpretation, same: ReadonlyMap<string, string>): Asked[] =>
  askedFor.map(({ label, featureId }) => ({ id: featureId ? (same.get(featureId) ?? featureId) : ownIdOf(label), label, isOwn: featureId === null }));

const ownIdOf = (label: string): string => slugify(label, 48);

/** The feature that a listed thing asked for has in an analysis; undefined for what is no short id of one. */
export function askedFeatureId({ askedFor }: Interpretation, short: string): string | undefined {
  const asked = askedFor[placeOf(short) - 1];
  return asked && (asked.featureId ?? ownIdOf(asked.label));
}

/** A short id of the material, or one that the model made. */
const readId = (id: string, material: Material): string => {
  const known = material.featureOf(id);
  return known === id ? slugify(id) : known;
};

/** What each feature is called, by its id. */
const namesOf = (asked: readonly Asked[], added: AnalyzeAnswer['features'], findings: readonly Finding[]): ReadonlyMap<string, string> =>
  new Map([
    ...findings.flatMap(({ facts }) => (facts?.kind === 'feature' ? [[facts.featureId, facts.name] as const] : [])),
    ...asked.map(({ id, label }) => [id, label] as const),
    ...added.map(({ id, name }) => [id, name] as const),
  ]);

type Case = {
  material: Material;
  findings: readonly Finding[];
  meant(id: string): string;
  names: ReadonlyMap<string, string>;
  /** What each feature that the model added rests on. */
  shownBy: ReadonlyMap<string, readonly string[]>;
};

function rivalsOf(named: readonly Named[], about: Case): Competitor[] {
  const { findings, material } = about;
  const companies = findings.flatMap(({ id, facts }): Company[] => (facts?.kind === 'company' ? [{ id, facts }] : []));
  const same = sameFeatures(findings);
  const sites = new Set(findings.map(({ url }) => siteOf(url)));
  const rivals = new Map<string, Competitor>();
  for (const entry of named) {
    const cited = unique(entry.evidence.map(material.idOf));
    const known = companies.find((company) => isSame(company, entry, cited));
    const rival = known ? knownRival(known, entry, cited, same, sites) : newRival(entry, cited, findings);
    const features = unique([...rival.features, ...borneOut(entry, rival, about)]);
    if (!rivals.has(rival.id)) rivals.set(rival.id, { ...rival, features });
  }
  return [...rivals.values()].slice(0, RIVALS);
}

const letters = (text: string): string => slugify(text).replaceAll('-', '');

function isSame({ id, facts }: Company, { name, url }: Named, cited: readonly string[]): boolean {
  const [written, said] = [letters(facts.name), letters(name)];
  if (written === said) return true;
  const site = siteOf(url);
  return cited.includes(id) && ((site !== '' && site === siteOf(facts.domain)) || said.startsWith(written));
}

/** Features that a rival is said to have: those that its entry lists, and those of which the quoted words stand in what it cites. */
function borneOut({ features }: Named, { features: listed, evidence_ids: cited }: Competitor, { findings, meant, names, shownBy }: Case): string[] {
  const sources = findings.filter(({ id }) => cited.includes(id)).map(({ title, snippet, text }) => ` ${plain(`${title} . ${snippet} . ${text}`)} `);
  return features.flatMap(({ id: said, words }) => {
    const id = meant(said);
    if (listed.includes(id) || shownBy.get(id)?.some((source) => cited.includes(source))) return [id];
    const quote = plain(words);
    if (quote.length >= LEAST_QUOTED) return sources.some((text) => text.includes(` ${quote} `)) ? [id] : [];
    return sources.some((text) => speaksOf(text, names.get(id) ?? '')) ? [id] : [];
  });
}

/** Without words of its own a feature is taken for borne out where a source says most of its name. */
function speaksOf(text: string, name: string): boolean {
  const wanted = termsOf(name);
  if (wanted.length === 0) return false;
  const said = new Set(termsOf(text));
  return wanted.filter((term) => said.has(term)).length > wanted.length / 2;
}

const knownRival = (
  { id, facts }: Company,
  entry: Named,
  cited: readonly string[],
  same: ReadonlyMap<string, string>,
  sites: ReadonlySet<string>,
): Competitor => ({
  id: facts.companyId,
  name: facts.name,
  // An address from nowhere is left for the evidence lock to catch and count.
  url: entry.url !== null && !sites.has(siteOf(entry.url)) ? entry.url : `https://${facts.domain}`,
  description: shorten(entry.description, DESCRIPTION) || facts.summary,
  funding: facts.funding,
  is_incumbent: facts.standing === 'incumbent',
  founded: facts.founded,
  pricing: facts.pricing,
  features: unique(facts.featureIds.map((feature) => same.get(feature) ?? feature)),
  overlap: 0,
  evidence_ids: unique([id, ...cited]),
});

const newRival = (entry: Named, cited: readonly string[], findings: readonly Finding[]): Competitor => ({
  id: slugify(entry.name),
  name: shorten(entry.name, 80),
  description: shorten(entry.description, DESCRIPTION),
  // A page that was read because a product was remembered is that product's own.
  url: entry.url ?? findings.find(({ id, isRemembered }) => isRemembered && cited.includes(id))?.url ?? null,
  funding: entry.funding,
  is_incumbent: entry.established,
  founded: entry.founded === null ? null : Math.round(entry.founded),
  pricing: entry.pricing,
  features: [],
  overlap: 0,
  evidence_ids: [...cited],
});

function featureWith(feature: AnalyzeAnswer['features'][number], rivals: readonly Competitor[], material: Material): MarketFeature {
  const holders = rivals.filter((rival) => rival.features.includes(feature.id));
  const cited = unique(feature.evidence.map(material.idOf));
  // What is asked for and nobody has rests on those who were looked at.
  const lookedAt = (holders.length > 0 ? holders : rivals).flatMap((rival) => rival.evidence_ids.slice(0, 1)).slice(0, LOOKED_AT);
  const frequency = rivals.length > 0 ? holders.length / rivals.length : 0;
  return {
    ...askedFeature(feature, cited.length > 0 || !feature.asked_for ? cited : unique(lookedAt)),
    tier: tierOf(frequency),
    frequency,
    held_by: holders.map((holder) => holder.id),
    asked_for: feature.asked_for,
  };
}

const askedFeature = ({ id, name, description }: { id: string; name: string; description: string }, evidence: string[]): MarketFeature => ({
  id,
  name: capital(shorten(name, LABEL)),
  description: shorten(description, DESCRIPTION) || 'Asked for by the idea.',
  tier: tierOf(0),
  frequency: 0,
  held_by: [],
  asked_for: true,
  evidence_ids: evidence,
});

const firstOfEach = (features: readonly MarketFeature[]): MarketFeature[] =>
  features.filter((feature, index) => features.findIndex(({ id }) => id === feature.id) === index);

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Rivals name only features that are listed, and how much each covers follows from those. */
function settleReferences(rivals: readonly Competitor[], features: readonly MarketFeature[]): void {
  const ids = new Set(features.map((feature) => feature.id));
  for (const rival of rivals) {
    rival.features = rival.features.filter((id) => ids.has(id));
    rival.overlap = coveredShare(coverageOf(rival, features));
  }
}
