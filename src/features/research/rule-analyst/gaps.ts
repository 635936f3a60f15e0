import { isProductTalk, marketTerms, openCatalogue, stem, stemsOf, termsOf } from '#features/catalogue';
import { listOf, shorten, slugify } from '#lib/text.ts';
import type { Competitor, MarketFeature, Whitespace } from '../schema.ts';
import { namesOf } from '../scoring.ts';
import { capabilitiesIn } from './capabilities.ts';
import { capital, inline } from './clean-text.ts';
import { cite, deedIn, featureList, holdersOf, othersOf, quoted, verb, type Landscape } from './landscape.ts';
import { featureName, featureNames } from './phrasing.ts';
import { ownTopic } from './short-title.ts';

const MOST = 6;
const SCARCE = 0.25;
const COMMON = 0.5;
const FEW_GAPS = 2;

/** Gaps that the evidence shows, the nearest to the idea first. */
export function gapsOf(land: Landscape): Whitespace[] {
  if (land.rivals.length === 0) return [];
  const scarce = land.asked.filter((feature) => feature.frequency <= SCARCE).sort((left, right) => left.frequency - right.frequency);
  const gaps = [
    ...land.own.map((feature) => ownGap(land, feature)),
    ...scarce.map((feature) => scarceGap(land, feature)),
    combinationGap(land),
    topicGap(land),
    audienceGap(land),
    ...generationGaps(land),
  ].filter((gap) => gap !== undefined);
  const rare = gaps.length >= FEW_GAPS ? [] : rareGaps(land).slice(0, FEW_GAPS - gaps.length);
  return [...gaps, ...rare].slice(0, MOST);
}

function ownGap(land: Landscape, feature: MarketFeature): Whitespace {
  const { toDo } = deedIn(land, feature.name);
  const near = nearFeatures(land, feature);
  const closest = near.map((entry) => `${quotedIfList(entry, near)} (${namesOf(holdersOf(land, entry))})`);
  return {
    id: `own-${feature.id}`,
    title: `No known rival promises to ${toDo}`,
    description: `Nothing recorded of ${namesOf(land.rivals)} says that they ${toDo}.${closest.length > 0 ? ` What comes closest: ${listOf(closest)}.` : ''}`,
    feature_ids: [feature.id],
    evidence_ids: [...new Set([...feature.evidence_ids, ...cite(near)])],
  };
}

const quotedIfList = (feature: MarketFeature, of: readonly MarketFeature[]): string =>
  featureNames([feature, ...of.filter((other) => other !== feature)])[0]?.name ?? feature.name;

/** The known features nearest to a clause of the idea, two at most: those that share its words or its kind of capability. */
export function nearFeatures(land: Landscape, own: MarketFeature): MarketFeature[] {
  const markets = land.about.categoryIds.flatMap((id) => marketTerms(id) ?? []);
  const terms = new Set(termsOf(own.name).filter((term) => markets.every(({ core }) => !core.has(term))));
  const kin = new Set(capabilitiesIn(own.name).flatMap((capability) => [...capability.kin, ...capability.stems]));
  const rated = land.features
    .filter((feature) => feature.held_by.length > 0)
    .map((feature) => {
      const vocabulary = markets.flatMap(({ category }) => category.features.filter(({ id }) => id === feature.id).flatMap((entry) => entry.terms));
      const words = [...new Set(stemsOf(`${feature.name} ${feature.description} ${vocabulary.join(' ')}`))];
      return { feature, fit: words.filter((word) => terms.has(word)).length + 0.8 * words.filter((word) => kin.has(word)).length };
    })
    .filter(({ fit }) => fit > 0);
  const best = rated.sort((left, right) => right.fit - left.fit);
  return best
    .slice(0, 2)
    .filter(({ fit }) => fit >= (best[0]?.fit ?? 0) * 0.4)
    .map(({ feature }) => feature);
}

function scarceGap(land: Landscape, feature: MarketFeature): Whitespace {
  const holders = holdersOf(land, feature);
  const others = othersOf(land, feature);
  return {
    id: `scarce-${feature.id}`,
    title: `${feature.name}: only ${holders.length} of ${land.rivals.length} rivals`,
    description: `The idea asks for ${featureName(feature.name)}. Of ${land.total} only ${namesOf(holders)} ${verb(holders, 'has', 'have')} it; ${namesOf(others)} ${verb(others, 'is', 'are')} not known to.`,
    feature_ids: [feature.id],
    evidence_ids: cite([feature], holders, others.slice(0, 3)),
  };
}

/** An asked-for combination that no single rival offers. */
function combinationGap(land: Landscape): Whitespace | undefined {
  if (land.asked.length < 2) return undefined;
  const rated = land.rivals.map((rival) => ({ rival, has: land.asked.filter((feature) => feature.held_by.includes(rival.id)) }));
  const best = [...rated].sort((left, right) => right.has.length - left.has.length)[0];
  if (!best || best.has.length === land.asked.length) return undefined;
  const lacking = land.asked.filter((feature) => !best.has.includes(feature));
  const nearest =
    best.has.length > 0
      ? `${best.rival.name} comes closest: it has ${featureList(best.has)}, and is not known to have ${featureList(lacking)}.`
      : `none has even one of ${featureList(land.asked)}.`;
  return {
    id: `together-${slugify(land.asked.map(({ id }) => id).join(' '), 60)}`,
    title: `No single rival combines ${featureList(land.asked, 4)}`,
    description: `Of ${land.total} in ${land.market}, ${nearest}`,
    feature_ids: land.asked.map(({ id }) => id),
    evidence_ids: cite(land.asked, [best.rival]),
  };
}

/** What a short idea is about and nothing found speaks of. */
function topicGap(land: Landscape): Whitespace | undefined {
  const market = openCatalogue().category(land.about.categoryIds[0] ?? '');
  const said = new Set(land.findings.flatMap(({ title, text }) => stemsOf(`${title} ${text}`)));
  const topic = market ? ownTopic(land.about.normalizedIdea, market).filter((word) => !said.has(stem(word))) : [];
  if (topic.length === 0) return undefined;
  const words = listOf(topic.slice(0, 3).map(quoted));
  return {
    id: `topic-${slugify(topic.join(' '), 50)}`,
    title: `Nothing found speaks of ${words}`,
    description: `Neither ${listOf(
      land.rivals.slice(0, 3).map(({ name }) => name),
      'nor',
    )} nor any other of ${land.total} is recorded with ${words}: a niche they leave open, or rivals that were not found.`,
    feature_ids: [],
    evidence_ids: cite(land.rivals.slice(0, 6)),
  };
}

/** Stems of words for the same people: a product for families is one for a household. */
const KINDRED: readonly (readonly string[])[] = [
  'famili household home rel relat spous coupl partner parent mom mum dad mother father kid child children',
  'compani busi firm team organis organiz enterpris startup employe staff work',
  'student pupil learner school teacher class univers',
  'shop store retail merchant seller boutiqu',
  'senior elderli older grandpar grandmoth grandma carer caregiv patient',
  'freelanc consult contractor solo profession self',
  'doctor clinic practic patient nurs therapist',
  'develop engin programm',
  'creator artist musician writer author maker photograph',
  'friend group flatmat roommat housemat',
  'restaur cafe café bar kitchen bistro',
].map((words) => words.split(' '));

/** An audience that the idea names and no rival's description does. */
function audienceGap(land: Landscape): Whitespace | undefined {
  const { about, rivals } = land;
  if (about.clarity.user < 0.9 || about.language !== 'en') return undefined;
  const terms = termsOf(about.targetUser).filter((term) => !isProductTalk(term));
  if (terms.length === 0) return undefined;
  const kin = new Set(KINDRED.filter((group) => terms.some((term) => group.includes(term))).flat());
  const names = (rival: Competitor): boolean => stemsOf(rival.description).some((term) => terms.includes(term) || kin.has(term));
  const [first, second] = rivals;
  if (!first || rivals.some(names)) return undefined;
  const said = [first, second].flatMap((rival) => (rival ? [`${rival.name} (${quoted(shorten(rival.description, 90).replace(/[.]$/, ''))})`] : []));
  return {
    id: `audience-${slugify(about.targetUser, 50)}`,
    title: `No rival is described as made for ${land.whom}`,
    description: `The idea is for ${land.whom}. None of the descriptions of ${land.total} names them, neither that of ${said.join(' nor that of ')}.`,
    feature_ids: [],
    evidence_ids: cite(rivals.slice(0, 6)),
  };
}

/** Features that the old ones share and the new ones leave out, and the reverse. */
function generationGaps(land: Landscape): Whitespace[] {
  const { incumbents, emerging } = land;
  if (emerging.length < 2 || incumbents.length < 3) return [];
  const among = (rivals: readonly Competitor[], feature: MarketFeature): number =>
    rivals.filter((rival) => feature.held_by.includes(rival.id)).length;
  const old = land.features.find((feature) => among(incumbents, feature) / incumbents.length >= COMMON && among(emerging, feature) === 0);
  const fresh = land.features.find(
    (feature) => among(emerging, feature) >= 2 && among(emerging, feature) / emerging.length >= COMMON && among(incumbents, feature) === 0,
  );
  const gap = (feature: MarketFeature, has: readonly Competitor[], lacks: readonly Competitor[], who: string, whoNot: string): Whitespace => ({
    id: `generation-${feature.id}`,
    title: `${feature.name}: usual among the ${who}, missing among the ${whoNot}`,
    description: `${among(has, feature)} of the ${has.length} ${who} have ${featureName(feature.name)} (${namesOf(has.filter((rival) => feature.held_by.includes(rival.id)))}). ${capital(namesOf(lacks, 4))} are not known to.`,
    feature_ids: [feature.id],
    evidence_ids: cite([feature], has.slice(0, 3), lacks.slice(0, 3)),
  });
  return [
    ...(old ? [gap(old, incumbents, emerging, 'incumbents', 'challengers')] : []),
    ...(fresh ? [gap(fresh, emerging, incumbents, 'challengers', 'incumbents')] : []),
  ];
}

/** Where the idea itself opens no gap: what hardly anybody in its market has. */
function rareGaps(land: Landscape): Whitespace[] {
  const terms = new Set(termsOf(land.about.normalizedIdea));
  const fit = (feature: MarketFeature): number => stemsOf(`${feature.name} ${feature.description}`).filter((term) => terms.has(term)).length;
  return land.features
    .filter((feature) => !feature.asked_for && !land.touched.has(feature.id) && feature.held_by.length > 0 && feature.held_by.length <= 2)
    .sort((left, right) => fit(right) - fit(left) || left.frequency - right.frequency)
    .map((feature) => ({
      id: `rare-${feature.id}`,
      title: `${feature.name}: only ${namesOf(holdersOf(land, feature))}`,
      description: `Rare in ${land.market}: of ${land.total} only ${namesOf(holdersOf(land, feature))} ${verb(feature.held_by, 'has', 'have')} ${featureName(feature.name)} (${inline(feature.description.replace(/[.]$/, ''))}). Nothing in the idea was recognised as asking for it either.`,
      feature_ids: [feature.id],
      evidence_ids: cite([feature], holdersOf(land, feature)),
    }));
}
