import { listOf } from '#lib/text.ts';
import type { Analysis, Finding, Interpretation, Synthesis } from '../analyst.ts';
import { isPaid } from '../pricing.ts';
import type { Cited, Recommendation, Whitespace } from '../schema.ts';
import { namesOf, SAID_FROM, scoreIdea, type Score } from '../scoring.ts';
import { evidenceAgainst } from './against.ts';
import { doubtsOf, type Doubt } from './assumptions.ts';
import { buildPlan } from './build-plan.ts';
import { gapsOf } from './gaps.ts';
import { inline } from './clean-text.ts';
import { cite, landscapeOf, nearestNames, type Landscape } from './landscape.ts';

const REASONS = 3;
const STEPS = 5;
const UNSURE = 0.5;
/** Gaps that the idea itself steps into, not merely its market. */
const ASKED_GAP = /^(?:own|scarce|together|topic|audience)-/;

/** What follows from the evidence for an idea, every sentence with what it rests on. */
export function synthesizeReport(about: Interpretation, analysis: Analysis, findings: readonly Finding[]): Synthesis {
  const land = landscapeOf(about, analysis, findings);
  const whitespaces = gapsOf(land);
  const against = evidenceAgainst(land);
  const doubts = doubtsOf(land);
  const score = scoreIdea(about, analysis, findings);
  return {
    recommendation: recommend(land, score, whitespaces, against),
    whitespaces,
    evidenceAgainst: against,
    assumptions: doubts.map(({ assumption }) => assumption),
    nextSteps: stepsOf(doubts),
    ...buildPlan(land),
  };
}

function recommend(land: Landscape, score: Score, gaps: readonly Whitespace[], against: readonly Cited[]): Recommendation {
  const reasonsFor = [
    ...gaps.filter((gap) => ASKED_GAP.test(gap.id)).map((gap): Cited => ({ text: gap.description, evidence_ids: gap.evidence_ids })),
    ...demandReasons(land),
  ].slice(0, REASONS);
  return { ...score, rationale: rationaleOf(land, score, gaps, against), reasons_for: reasonsFor, reasons_against: against.slice(0, REASONS) };
}

function demandReasons(land: Landscape): Cited[] {
  const paid = land.rivals.filter(isPaid);
  const fresh = land.emerging;
  const reasons: Cited[] = [];
  if (paid.length >= 3)
    reasons.push({
      text: `People pay in ${land.market}: ${paid.length} of ${land.total} charge, among them ${namesOf(paid)}.`,
      evidence_ids: cite(paid.slice(0, 4)),
    });
  if (fresh.length >= 2)
    reasons.push({
      text: `${namesOf(fresh)} came to ${land.market} as challengers, so it is open to newcomers.`,
      evidence_ids: cite(fresh.slice(0, 4)),
    });
  return reasons;
}

const VERDICTS: Readonly<Record<Recommendation['verdict'], string>> = {
  pursue: 'worth pursuing',
  test_first: 'worth a test before building',
  refine: 'not sharp enough yet',
  drop: 'better dropped in this form',
  insufficient_data: 'not to be judged on what was found',
};

function rationaleOf(land: Landscape, { score, verdict, parts }: Score, gaps: readonly Whitespace[], against: readonly Cited[]): string {
  const { about } = land;
  const byScore = [...parts].sort((left, right) => right.score - left.score);
  // How well the text was typed says nothing for an idea.
  const telling = byScore.filter((part) => part.weight >= 0.2);
  const [strong, weak] = [telling[0], telling.at(-1)];
  const head = `${about.shortTitle} is ${VERDICTS[verdict]}: ${score} of 100.`;
  if (verdict === 'insufficient_data' && about.confidence >= UNSURE)
    return `${head} Only ${land.total}${land.rivals.length > 0 ? ` (${namesOf(land.rivals)})` : ''} in ${land.market} could be found.`;
  if (verdict === 'insufficient_data')
    return `${head} It is not certain that ${land.market} is its market: ${nearestNames(land)} came nearest, and may not be its rivals at all. Until somebody has looked, or the idea says more of what it does and for whom, nothing below is more than a lead.`;
  const unsure =
    about.confidence < UNSURE ? `It is not certain that ${land.market} is its market, so ${nearestNames(land)} may not be its rivals.` : '';
  const best = gaps.find((gap) => ASKED_GAP.test(gap.id));
  const hope = best ? `For it: ${inline(best.title)}.` : strong ? `Its best part is ${PART_WORDS[strong.key]} (${strong.score}).` : '';
  const doubt = against[0] ? `Against it: ${against[0].text}` : weak ? `Its weakest part is ${PART_WORDS[weak.key]} (${weak.score}).` : '';
  return [head, unsure, hope, doubt, changeOf(land, verdict)].filter(Boolean).join(' ');
}

/** A part of the score inside a sentence: a crowded market scores low, so what scores is the room left. */
const PART_WORDS: Readonly<Record<Recommendation['parts'][number]['key'], string>> = {
  demand: 'demand',
  crowding: 'the room left in the market',
  differentiation: 'its difference',
  evidence: 'the evidence',
  clarity: 'clarity',
};

/** What would have to be different for a better verdict. */
function changeOf(land: Landscape, verdict: Recommendation['verdict']): string {
  if (verdict === 'pursue') return '';
  const { clarity, shortTitle } = land.about;
  const unsaid = [
    clarity.user < SAID_FROM ? 'whom it is for' : '',
    clarity.problem < SAID_FROM ? 'what hurts' : '',
    clarity.solution < SAID_FROM ? 'what it does' : '',
  ].filter(Boolean);
  if (unsaid.length > 0) return `To judge ${shortTitle} better, say ${listOf(unsaid)}.`;
  if (land.own.length === 0 && land.asked.every((feature) => feature.frequency > 0.25))
    return `${shortTitle} needs one thing that ${nearestNames(land)} do not do.`;
  return '';
}

/** The pain first, then the idea's own claim, then the comparison by name, then money; each tied to its assumption. */
function stepsOf(doubts: readonly Doubt[]): Synthesis['nextSteps'] {
  const order = (doubt: Doubt): number => ['pain', 'unrecorded', 'switch', 'pay'].indexOf(doubt.assumption.id);
  const claims = doubts.filter((doubt) => order(doubt) < 0).slice(0, 1);
  const [pain, open, change, money] = ['pain', 'unrecorded', 'switch', 'pay'].map((id) => doubts.find(({ assumption }) => assumption.id === id));
  const chosen = [pain, open, ...claims, change, money].filter((doubt) => doubt !== undefined);
  return chosen.slice(0, STEPS).map(({ step }) => step);
}
