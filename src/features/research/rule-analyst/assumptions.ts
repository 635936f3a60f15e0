import { significantTerms, termsOf } from '#features/catalogue';
import { shorten, truncate } from '#lib/text.ts';
import { isFree, isPaid, pricingWords } from '../pricing.ts';
import type { Assumption, NextStep } from '../schema.ts';
import { namesOf } from '../scoring.ts';
import { clausesOf } from './asked-for.ts';
import { capital, inline } from './clean-text.ts';
import { cite, deedIn, holdersOf, nearestNames, quoted, several, verb, type Landscape } from './landscape.ts';
import { featureName, ofOthers, type Deed } from './phrasing.ts';
import { withoutUnasked } from './unasked.ts';

/** What an idea takes for granted, with the test that would settle it. */
export type Doubt = { assumption: Assumption; step: NextStep };
type Claim = {
  kind: string;
  /** Words that count wherever a clause says them. */
  stems?: ReadonlySet<string>;
  /** Words that count only as what the idea does, not as what it does it with: "find seats in logs", "share the rent". */
  verbs?: ReadonlySet<string>;
  doubt(claim: Deed, land: Landscape): Omit<Doubt['assumption'], 'id'> & { test: Test };
};
type Test = { title: string; how: string; success: string };

const stems = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const MOST_CLAIMS = 2;
const LINE = 140;

const rivalsOf = (land: Landscape): string => nearestNames(land) || `what ${land.whom} use today`;

const CLAIMS: readonly Claim[] = [
  {
    kind: 'guess',
    stems: stems(
      'learn predict recommend suggest ai detect recogn recogniz recognis personalis automat generat summar summaris transcrib classif algorithm guess forecast estim analyz analys identifi',
    ),
    doubt: (claim, land) => ({
      text: `That ${claim.doing} works well enough that ${land.whom} seldom have to correct it.`,
      why_it_matters: `Every wrong result is corrected by hand, and soon ${rivalsOf(land)} ${land.rivals.length === 1 ? 'is' : 'are'} less work.`,
      test: {
        title: `Try to ${claim.toDo} by hand first`,
        how: `For two weeks collect what ${several('ten', land)} would give the product, do the work yourself, and count how much they change.`,
        success: `Go on when 8 of 10 leave four fifths of it unchanged; stop below 5 of 10. With less, ${claim.doing} is a chore.`,
      },
    }),
  },
  {
    kind: 'log',
    verbs: stems('log record enter track write note scan photo photograph journal report measur rate upload document tag'),
    doubt: (claim, land) => ({
      text: `That ${land.whom} keep it up after the first week: ${claim.doing} is work.`,
      why_it_matters: `Without fresh entries nothing else in ${land.about.shortTitle} works, and a note or ${land.rivals[0]?.name ?? 'a sheet of paper'} does as well.`,
      test: {
        title: `See whether ${claim.doing} lasts three weeks`,
        how: `Give ${several('15', land)} a bare form or a chat to ${claim.toDo}, send no reminders, and count entries by day.`,
        success: `Go on when 6 of 15 still ${claim.toDo} in the third week; stop below 3.`,
      },
    }),
  },
  {
    kind: 'sides',
    stems: stems('marketplac seller swapper supplier nearbi neighbor neighbour'),
    verbs: stems('connect match rent lend borrow swap exchang sell hire volunt meet'),
    doubt: (claim, land) => ({
      text: `That both sides turn up in one place at one time: ${claim.doing} needs two.`,
      why_it_matters: `Whoever comes first finds nobody, while ${rivalsOf(land)} already have ${land.rivals.length > 1 ? 'their crowds' : 'a crowd'}.`,
      test: {
        title: `Bring the two sides together in one town: ${claim.doing}`,
        how: `Choose one town or group, sign up the scarcer side by hand, and ${claim.toDo} yourself, without a product.`,
        success: `Go on when 20 of the scarcer side sign up in three weeks and 10 times ${claim.doing} works out; stop below 3.`,
      },
    }),
  },
  {
    kind: 'together',
    stems: stems('famili coupl partner team roommat flatmat invit collabor household togeth coparent sibl'),
    verbs: stems('share'),
    doubt: (claim, land) => ({
      text: `That everybody concerned installs it, and not just one: ${claim.doing} takes more than one.`,
      why_it_matters: `Used by one person alone it does no more than ${land.rivals[0]?.name ?? 'a note'} used alone.`,
      test: {
        title: `Count whom the first users of ${land.about.shortTitle} bring along`,
        how: `Let ${several('ten', land)} set up a clickable sketch to ${claim.toDo} and ask each to invite the others. Do not help.`,
        success: `Go on when 6 of 10 have everybody in ${land.about.shortTitle} within a week; stop below 3.`,
      },
    }),
  },
  {
    kind: 'data',
    stems: stems('sync import integr bank calendar gps sensor weather api crm erp payslip statement satellit'),
    doubt: (claim, land) => ({
      text: `That the data for ${claim.doing} can be had, lawfully and at a bearable price.`,
      why_it_matters: `${rivalsOf(land)} ${land.rivals.length === 1 ? 'has' : 'have'} their own ways to it or leave it out; without it this part of the idea falls away.`,
      test: {
        title: `Get the data for ${claim.doing} once, for real`,
        how: `Take three real cases for ${land.about.shortTitle}, find the interface, file or agreement that gives the data, and note price, limits and terms.`,
        success: `Go on when all three cases of ${claim.doing} work from a source one may use; stop when more than one needs typing.`,
      },
    }),
  },
  {
    kind: 'nudge',
    stems: stems('remind alert notif notifi warn nudg ping tell'),
    doubt: (claim, land) => ({
      text: `That ${land.whom} act on it and do not swipe it away: ${claim.doing}.`,
      why_it_matters: `A calendar entry reminds as well; ${land.about.shortTitle} has to do better than that and than ${land.rivals[0]?.name ?? 'a phone alarm'}.`,
      test: {
        title: `Send the messages of ${land.about.shortTitle} yourself`,
        how: `For two weeks ${claim.toDo} by hand for ${several('ten', land)}, at the right moment, and ask the next day what they did.`,
        success: `Go on when more than half of these messages were acted on; stop below one in five. ${capital(claim.doing)} has to change something.`,
      },
    }),
  },
  {
    kind: 'rules',
    stems: stems('health medic medicin patient diagnos therapi symptom legal law tax insur loan invest prescript clinic doctor child kid minor'),
    doubt: (claim, land) => ({
      text: `That a newcomer can meet the rules on data and liability for ${claim.doing}.`,
      why_it_matters: `${rivalsOf(land)} ${land.rivals.length === 1 ? 'has' : 'have'} settled this already; for ${land.about.shortTitle} it can cost more than the building.`,
      test: {
        title: `Ask one specialist what the law says on ${claim.doing}`,
        how: `Describe the exact data and advice of ${land.about.shortTitle} to a lawyer or compliance officer, with ${land.rivals[0]?.name ?? 'a comparable product'} as the example.`,
        success: `Go on when no licence or certificate stands before a first trial of ${land.about.shortTitle}; stop when one takes over six months.`,
      },
    }),
  },
];

/** The idea's own claims first, then what every one of them rests on: that it hurts, that people change, that somebody pays. */
export function doubtsOf(land: Landscape): Doubt[] {
  const claims = claimsOf(land);
  return [hurts(land), ...claims, unrecorded(land), switches(land), pays(land)].filter((doubt) => doubt !== undefined);
}

function claimsOf(land: Landscape): Doubt[] {
  const { about } = land;
  const labels = about.askedFor.filter(({ featureId }) => featureId === null).map(({ label }) => label);
  const clauses = [...labels, ...clausesOf([withoutUnasked(about.proposedSolution)])].map((clause) =>
    inline(clause, about.language).replace(/…$/, ''),
  );
  const doubts: Doubt[] = [];
  const used = new Set<string>();
  for (const { kind, stems: words, verbs, doubt } of CLAIMS) {
    if (doubts.length >= MOST_CLAIMS) break;
    const fits = (clause: string): boolean => {
      if (used.has(clause) || isDoneToday(clause, about.normalizedIdea) || termsOf(clause).length < 1) return false;
      const terms = significantTerms(clause);
      if (about.language !== 'en') return terms.some((term) => words?.has(term) || verbs?.has(term));
      const [first = ''] = significantTerms(clause.split(' ', 1)[0] ?? '');
      return deedIn(land, clause).isDeed && (terms.some((term) => words?.has(term)) || verbs?.has(first) === true);
    };
    const claim = clauses.find(fits);
    if (!claim) continue;
    used.add(claim);
    const { text, why_it_matters, test } = doubt(deedIn(land, claim), land);
    doubts.push(doubtOf(kind, text, why_it_matters, test, cite(land.rivals.slice(0, 2))));
  }
  return doubts;
}

/** "I record a podcast alone" says how it is, and claims nothing. */
function isDoneToday(clause: string, idea: string): boolean {
  const said = idea.toLowerCase();
  const place = said.indexOf(clause.toLowerCase());
  return place > 0 && /\b(?:i|we)(?: \w+ly)? $/.test(said.slice(0, place));
}

const doubtOf = (id: string, text: string, why: string, test: Test, evidenceIds: string[]): Doubt => ({
  assumption: { id, text, why_it_matters: why },
  step: { title: test.title, how: test.how, success_signal: test.success, assumption_id: id, evidence_ids: evidenceIds },
});

function hurts(land: Landscape): Doubt {
  const { about } = land;
  const top = nearestNames(land);
  const why = top
    ? `${top} already ${land.rivals.length > 1 ? 'take' : 'takes'} part of it away; what is left has to hurt still.`
    : `If it is a rare annoyance, nobody looks for ${about.shortTitle}.`;
  const title = `Ask ${several('ten', land)} about the last time`;
  const rivals = nearestNames(land, 'or') || 'any product';
  if (about.clarity.problem === 0) {
    const market = about.categoryIds.length > 0 ? inline(about.category) : about.shortTitle;
    return doubtOf(
      'pain',
      `That ${land.whom} have a problem that ${about.shortTitle} would solve: what hurts could not be made out in the idea.`,
      why,
      {
        title: `${title} ${about.shortTitle} would have helped`,
        how: `Do not show the idea. Ask what costs them most time or nerves around ${market}, what they tried (${rivals}), and what was left undone.`,
        success: `Go on when 4 of 10 name, unasked, something that ${about.shortTitle} would take away; stop when nobody does.`,
      },
      cite(land.rivals.slice(0, 2)),
    );
  }
  const pain = about.language === 'en' ? ofOthers(inline(upToPause(about.problemStatement))) : quoted(about.problemStatement);
  return doubtOf(
    'pain',
    `That this happens to ${land.whom} often enough to act on: ${pain}.`,
    why,
    {
      title: `${title} it happened: ${pain}`,
      how: `Do not show the idea. Ask when it last happened, what they did, what it cost, and whether they tried ${rivals}.`,
      success: `Go on when 6 of 10 tell of a case within the last month and of a way round it; stop below 3. Below that ${about.shortTitle} cures a rare pain.`,
    },
    cite(land.rivals.slice(0, 2)),
  );
}

/** A long complaint ends at its last pause within the length of a line. */
function upToPause(text: string): string {
  if (text.length <= LINE) return text;
  const cut = truncate(text, LINE);
  const pause = Math.max(cut.lastIndexOf(', '), cut.lastIndexOf(' and '), cut.lastIndexOf('; '));
  return pause > LINE / 3 ? cut.slice(0, pause) : shorten(text, LINE).replace(/…$/, '');
}

/** What the idea asks for and the evidence says nothing about, neither that a rival has it nor that none has. */
function unrecorded(land: Landscape): Doubt | undefined {
  const [first] = land.rivals;
  const open = land.unrecorded.slice(0, 1).map((label) => deedIn(land, label))[0];
  if (!first || !open) return undefined;
  const names = nearestNames(land, 'or');
  return doubtOf(
    'unrecorded',
    `That ${names} ${land.rivals.length === 1 ? 'does' : 'do'} not ${open.toDo} already: nothing is recorded either way.`,
    `If ${first.name} does, ${land.about.shortTitle} has less of its own than it seems.`,
    {
      title: open.isDeed ? `Try to ${open.toDo} in ${nearestNames(land)}` : `Look for ${open.doing} in ${nearestNames(land)}`,
      how: `Open a trial or the help pages of ${nearestNames(land)} and write down how far one gets, and in how many steps.`,
      success: `Go on when ${open.doing} is impossible there or takes more than five steps; think again when it takes two.`,
    },
    cite(land.rivals.slice(0, 2)),
  );
}

function switches(land: Landscape): Doubt | undefined {
  const [first, second] = land.rivals;
  if (!first) return undefined;
  const { shortTitle } = land.about;
  const rarest = [...land.asked].sort((left, right) => left.frequency - right.frequency)[0];
  const wedge = land.own[0] ?? rarest;
  const reason = land.own[0] ? deedIn(land, land.own[0].name).doing : rarest ? featureName(rarest.name) : shortTitle;
  const has = wedge ? holdersOf(land, wedge) : [];
  const known = has.length > 0 ? `${namesOf(has)} ${verb(has, 'has', 'have')} it as well` : `${first.name} does the rest of it today`;
  const names = second ? `${first.name} or ${second.name}` : first.name;
  const isShared = has.includes(first);
  return doubtOf(
    'switch',
    isShared
      ? `That users would leave ${names} for ${shortTitle}, although ${namesOf(has)} ${verb(has, 'has', 'have')} ${reason} as well.`
      : `That ${reason} would make users leave ${names}.`,
    `${isShared ? `${first.name} is there already` : known}, and whoever leaves gives up settings, habits and past entries.`,
    {
      title: `Set ${shortTitle} next to ${names}`,
      how: `Let eight users of ${names} do one real task there and one in a sketch of ${shortTitle}, then ask which they would keep and why.`,
      success: `Go on when 5 of 8 would keep the sketch and name ${reason} unprompted; stop below 2.`,
    },
    cite([first], second ? [second] : [], wedge ? [wedge] : []),
  );
}

function pays(land: Landscape): Doubt | undefined {
  const paid = land.rivals.filter(isPaid);
  const free = land.rivals.filter(isFree);
  const [first] = paid;
  if (!first || !first.pricing) return undefined;
  const though = free.length > 0 ? `although ${namesOf(free)} ${free.length === 1 ? 'costs' : 'cost'} nothing` : `as they do at ${namesOf(paid)}`;
  return doubtOf(
    'pay',
    `That ${land.whom} will pay for ${land.about.shortTitle}, ${though}.`,
    `${paid.length} of ${land.total} charge, ${first.name} ${pricingWords(first.pricing)}; ${land.about.shortTitle} is measured against them.`,
    {
      title: `Ask for money before building ${land.about.shortTitle}`,
      how: `Show ${several('100', land)} one page with the offer, a price near that of ${nearestNames({ rivals: paid }, 'or')}, and a button that takes a refundable deposit.`,
      success: `Go on when 5 of 100 leave a deposit for ${land.about.shortTitle}; stop when nobody does.`,
    },
    cite(paid.slice(0, 3), free.slice(0, 2)),
  );
}
