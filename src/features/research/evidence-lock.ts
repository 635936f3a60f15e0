import { shorten } from '#lib/text.ts';
import type { Analysis, Finding, Synthesis } from './analyst.ts';
import { citeNamed } from './grounding/cite-named.ts';
import { addCounts, groundsOf, keepSound, type Freedom, type Grounds } from './grounding/grounds.ts';
import { lockCompetitor } from './grounding/lock-competitor.ts';
import { sentencesOf } from './grounding/plain-text.ts';
import { Tally } from './grounding/tally.ts';
import type { BuildItem, Cited, Competitor, MarketFeature, NextStep, Recommendation, Whitespace } from './schema.ts';
import { tierOf } from './rule-analyst/market-features.ts';

const NONE_FITS = 'None of the products that were found would serve these users.';
const STEP_TITLE = 90;

/** What is left after everything without a source was dropped, and how much that was. */
export type Locked<T> = { value: T; fabricated: number; unsupported: number };

/**
 * Keeps of an analysis what the findings bear out: citations that exist, rivals that a cited finding names, addresses
 * among the sources, sentences whose names and numbers were found or counted.
 * @param idea the idea as it was typed; its own words and numbers are no inventions
 */
export function lockAnalysis(analysis: Analysis, findings: readonly Finding[], idea = ''): Locked<Analysis> {
  const grounds = groundsOf(findings);
  const tally = new Tally(grounds.ids);
  grounds.addIdea(idea);
  const named = new Set([...analysis.incumbents, ...analysis.emerging].map(({ id }) => id));
  const listed = new Set(analysis.features.map(({ id }) => id));
  const seen = new Set<string>();
  const lockRivals = (rivals: readonly Competitor[]): Competitor[] =>
    rivals.flatMap((rival) => lockCompetitor(rival, grounds, tally) ?? []).filter(({ id }) => !seen.has(id) && seen.add(id));
  const incumbents = lockRivals(analysis.incumbents);
  const emerging = lockRivals(analysis.emerging);
  const rivals = [...incumbents, ...emerging];
  const features = analysis.features.flatMap((feature) => lockFeature(feature, { rivals, named }, grounds, tally) ?? []);
  const kept = new Set(features.map(({ id }) => id));
  const resolve = (rival: Competitor): Competitor => ({ ...rival, features: tally.resolve(rival.features, kept, listed) });
  const people = lockPeople(analysis, rivals, grounds, tally);
  const why = analysis.noneBecause === undefined ? {} : { noneBecause: sound(analysis.noneBecause, grounds, tally) || NONE_FITS };
  return tally.locked({ ...analysis, incumbents: incumbents.map(resolve), emerging: emerging.map(resolve), features, ...people, ...why });
}

type Rivals = { rivals: readonly Competitor[]; named: ReadonlySet<string> };

function lockFeature(feature: MarketFeature, { rivals, named }: Rivals, grounds: Grounds, tally: Tally): MarketFeature | undefined {
  const evidence = tally.cited(feature.evidence_ids);
  // What is asked for rests on the idea itself.
  if (evidence.length === 0 && !feature.asked_for) return tally.drop('unsupported');
  const fault = grounds.faultOf(feature.name, { ideaIsFree: feature.asked_for });
  if (fault) return tally.drop(fault);
  const heldBy = tally.resolve(feature.held_by, new Set(rivals.map(({ id }) => id)), named);
  const isSame = heldBy.length === feature.held_by.length && rivals.length === named.size;
  const frequency = isSame || rivals.length === 0 ? feature.frequency : heldBy.length / rivals.length;
  const { description } = feature;
  return {
    ...feature,
    description: sound(description, grounds, tally),
    held_by: heldBy,
    frequency,
    tier: isSame ? feature.tier : tierOf(frequency),
    evidence_ids: evidence,
  };
}

type People = Pick<Analysis, 'audience' | 'useCases' | 'marketEvidenceIds'>;

function lockPeople(analysis: Analysis, rivals: readonly Competitor[], grounds: Grounds, tally: Tally): People {
  const cited = tally.cited(analysis.marketEvidenceIds);
  const marketEvidenceIds = cited.length > 0 ? cited : [...new Set(rivals.flatMap((rival) => rival.evidence_ids.slice(0, 1)))];
  if (marketEvidenceIds.length === 0) {
    tally.count('unsupported', analysis.audience.length + analysis.useCases.length);
    return { audience: [], useCases: [], marketEvidenceIds };
  }
  const keep = (lines: readonly string[]): string[] => lines.filter((line) => tally.passes(grounds.faultOf(line)));
  return { audience: keep(analysis.audience), useCases: keep(analysis.useCases), marketEvidenceIds };
}

/**
 * The same for what follows from an analysis. Next steps and assumptions may stand without evidence and with numbers of
 * their own, for they speak of what is not known yet. Whatever names a product cites the evidence of it afterwards.
 * @param analysis as it came out of the lock: its names and counts are established
 */
export function lockSynthesis(synthesis: Synthesis, analysis: Analysis, findings: readonly Finding[], idea = ''): Locked<Synthesis> {
  const grounds = groundsOf(findings);
  const tally = new Tally(grounds.ids);
  addAnalysis(grounds, analysis, synthesis.recommendation, idea);
  addCounts(grounds, analysis, findings);
  const features = new Set(analysis.features.map(({ id }) => id));
  const planned = (text: string): string => sound(text, grounds, tally, PLANNED);
  const assumptions = synthesis.assumptions
    .map((assumption) => ({ ...assumption, text: planned(assumption.text), why_it_matters: planned(assumption.why_it_matters) }))
    .filter(({ text }) => text !== '');
  const tested = new Set(assumptions.map(({ id }) => id));
  const nextSteps = synthesis.nextSteps
    .flatMap((step) => lockStep(step, planned) ?? [])
    .map((step) => ({
      ...step,
      assumption_id: step.assumption_id !== null && tested.has(step.assumption_id) ? step.assumption_id : null,
      evidence_ids: tally.cited(step.evidence_ids),
    }));
  const locked: Synthesis = {
    recommendation: lockRecommendation(synthesis.recommendation, grounds, tally),
    whitespaces: synthesis.whitespaces.flatMap((gap) => lockWhitespace(gap, features, grounds, tally) ?? []),
    evidenceAgainst: synthesis.evidenceAgainst.flatMap((statement) => lockCited(statement, grounds, tally) ?? []),
    assumptions,
    nextSteps,
    phase1: synthesis.phase1.flatMap((item) => lockBuildItem(item, analysis.features, grounds, tally) ?? []),
    phase2: synthesis.phase2.flatMap((item) => lockBuildItem(item, analysis.features, grounds, tally) ?? []),
  };
  return tally.locked(citeNamed(locked, analysis, findings));
}

function addAnalysis(grounds: Grounds, analysis: Analysis, { score, parts }: Recommendation, idea: string): void {
  const named = [...analysis.incumbents, ...analysis.emerging, ...analysis.features].map(({ name }) => name);
  grounds.addIdea(idea);
  grounds.addText([...named, ...analysis.audience, ...analysis.useCases, ...parts.map((part) => part.explanation)].join(' . '));
  grounds.numbers.addCounts(score ?? 0, 100, ...parts.map((part) => part.score));
  for (const { inputs, weight } of parts) {
    const values = Object.values(inputs);
    grounds.numbers.addCounts(...values);
    grounds.numbers.addShares(weight, ...values.filter((value) => value <= 1));
  }
}

/** What is planned or supposed claims nothing of a company: its numbers, days, places, tools and channels are its own. */
const PLANNED: Freedom = { numbersAreFree: true, ideaIsFree: true, placesAreFree: true, toolsAreFree: true };

/** A step without the sentences that say what nobody knows; what it does stands for a title that is lost. */
function lockStep(step: NextStep, planned: (text: string) => string): NextStep | undefined {
  const [title, how] = [planned(step.title), planned(step.how)];
  if (title === '' && how === '') return undefined;
  return { ...step, title: title || shorten(sentencesOf(how)[0] ?? how, STEP_TITLE), how, success_signal: planned(step.success_signal) };
}

function lockRecommendation(recommendation: Recommendation, grounds: Grounds, tally: Tally): Recommendation {
  const lockAll = (statements: readonly Cited[]): Cited[] => statements.flatMap((statement) => lockCited(statement, grounds, tally) ?? []);
  const rationale = sound(recommendation.rationale, grounds, tally);
  return {
    ...recommendation,
    // The computed parts say the same in fewer words when nothing of the rationale could stay.
    rationale: rationale || recommendation.parts.map((part) => part.explanation).join(' '),
    reasons_for: lockAll(recommendation.reasons_for),
    reasons_against: lockAll(recommendation.reasons_against),
    parts: recommendation.parts.map((part) => ({ ...part, evidence_ids: tally.cited(part.evidence_ids) })),
  };
}

function sound(text: string, grounds: Grounds, tally: Tally, freedom?: Freedom): string {
  const kept = keepSound(text, grounds, freedom);
  for (const fault of kept.faults) tally.count(fault);
  return kept.text;
}

function lockCited(statement: Cited, grounds: Grounds, tally: Tally): Cited | undefined {
  const evidence = tally.cited(statement.evidence_ids);
  const text = sound(statement.text, grounds, tally);
  if (text === '') return undefined;
  return evidence.length > 0 ? { text, evidence_ids: evidence } : tally.drop('unsupported');
}

function lockWhitespace(gap: Whitespace, features: ReadonlySet<string>, grounds: Grounds, tally: Tally): Whitespace | undefined {
  const evidence = tally.cited(gap.evidence_ids);
  if (evidence.length === 0) return tally.drop('unsupported');
  const fault = grounds.faultOf(gap.title);
  if (fault) return tally.drop(fault);
  return {
    ...gap,
    description: sound(gap.description, grounds, tally),
    feature_ids: tally.resolve(gap.feature_ids, features, features),
    evidence_ids: evidence,
  };
}

function lockBuildItem(item: BuildItem, features: readonly MarketFeature[], grounds: Grounds, tally: Tally): BuildItem | undefined {
  const feature = features.find(({ id }) => id === item.id);
  if (!feature) return tally.drop('fabricated');
  const evidence = tally.cited(item.evidence_ids);
  if (evidence.length === 0 && !feature.asked_for) return tally.drop('unsupported');
  const fault = grounds.faultOf(item.label);
  if (fault) return tally.drop(fault);
  return { ...item, reason: sound(item.reason, grounds, tally), evidence_ids: evidence };
}
