import { describe, expect, it } from 'vitest';
import { seeded } from '#testing/scripted-answers.ts';
import type { Analysis, Finding, Synthesis } from './analyst.ts';
import { lockAnalysis, lockSynthesis } from './evidence-lock.ts';
import type { Competitor, MarketFeature } from './schema.ts';

const COMPANIES = ['Splitwise', 'Tricount', 'Settle Up', 'Spliit', 'Splid'];

const finding = (id: string, partial: Partial<Finding>): Finding => ({
  id,
  kind: 'web',
  url: null,
  title: '',
  snippet: '',
  text: '',
  confidence: 0.5,
  freshness: 0.5,
  fetchedAt: '2026-01-01T00:00:00.000Z',
  facts: null,
  ...partial,
});

const company = (name: string, index: number): Finding => {
  const companyId = name.toLowerCase().replaceAll(' ', '-');
  const summary = `Shared expenses for flatmates, number ${index + 1} of its kind.`;
  return finding(`c-${companyId}`, {
    kind: 'canonical_company',
    url: `https://${companyId}.app`,
    title: name,
    snippet: summary,
    text: `${summary} Founded ${2010 + index}. Pricing: freemium.`,
    facts: {
      kind: 'company',
      companyId,
      categoryId: 'bill-splitting',
      name,
      domain: `${companyId}.app`,
      founded: 2010 + index,
      standing: index < 3 ? 'incumbent' : 'emerging',
      pricing: 'freemium',
      funding: null,
      summary,
      featureIds: ['balances'],
      relevance: 0.9,
    },
  });
};

const REVIEW = finding('w-review', {
  url: 'https://www.reviews.example/best-bill-splitters',
  title: 'The best bill splitters',
  text: 'Of 240 readers 35% use Splitwise. Owely costs $3.50 a month and has 12,000 users. Read more on https://elsewhere.example.',
});
const FINDINGS = [...COMPANIES.map(company), REVIEW];

const rival = (name: string, partial: Partial<Competitor> = {}): Competitor => {
  const id = name.toLowerCase().replaceAll(' ', '-');
  return {
    id,
    name,
    description: `${name} shares expenses for flatmates.`,
    url: `https://${id}.app`,
    funding: null,
    is_incumbent: true,
    founded: null,
    pricing: 'freemium',
    features: ['balances'],
    overlap: 0.5,
    evidence_ids: [`c-${id}`],
    ...partial,
  };
};

const BALANCES: MarketFeature = {
  id: 'balances',
  name: 'Group balances',
  description: 'Who owes whom.',
  tier: 'table_stakes',
  frequency: 1,
  held_by: COMPANIES.map((name) => name.toLowerCase().replaceAll(' ', '-')),
  asked_for: true,
  evidence_ids: ['c-splitwise'],
};

const analysis = (partial: Partial<Analysis> = {}): Analysis => ({
  incumbents: COMPANIES.slice(0, 3).map((name) => rival(name)),
  emerging: COMPANIES.slice(3).map((name) => rival(name, { is_incumbent: false })),
  features: [BALANCES],
  audience: ['flatmates'],
  useCases: ['share the rent'],
  marketEvidenceIds: ['c-splitwise'],
  ...partial,
});

const synthesis = (partial: Partial<Synthesis> = {}): Synthesis => ({
  recommendation: { score: 41, verdict: 'refine', rationale: 'Splitwise is near.', reasons_for: [], reasons_against: [], parts: [] },
  whitespaces: [],
  evidenceAgainst: [],
  assumptions: [],
  nextSteps: [],
  phase1: [],
  phase2: [],
  ...partial,
});

const statement = (text: string, evidence_ids = ['c-splitwise']) => ({ text, evidence_ids });

/** What becomes of one sentence of a report, and under which count. */
function fate(text: string, idea = '') {
  const { value, fabricated, unsupported } = lockSynthesis(synthesis({ evidenceAgainst: [statement(text)] }), analysis(), FINDINGS, idea);
  return { kept: value.evidenceAgainst.length === 1, fabricated, unsupported };
}

const KEPT = { kept: true, fabricated: 0, unsupported: 0 };
const FABRICATED = { kept: false, fabricated: 1, unsupported: 0 };
const UNSUPPORTED = { kept: false, fabricated: 0, unsupported: 1 };

describe('a sentence', () => {
  it.each([
    'Splitwise and Settle Up already share expenses.',
    "Tricount's balances do the same, as do Spliit and 3 more.",
    'All 5 of 5 rivals hold “Group balances”.',
    'Every rival, 100% of them, has it; the score is 41 of 100.',
    'Of 240 readers, 35 % use Splitwise.',
    'Owely costs $3.50 a month and has 12k users.',
    'Owely costs 3.5 dollars a month.',
    'See https://www.reviews.example/another-page for it.',
    'Splitwise was founded in 2010 (splitwise.app).',
    'Nobody offers this for B2B.',
    'Already on Monday users compare it on their iPhone with what Splid does.',
  ])('stays when its names and numbers were found or counted: %s', (text) => {
    expect(fate(text)).toEqual(KEPT);
  });

  it.each([
    ['an address that is in no finding', 'Splitwise says so on https://evil.example/page.'],
    ['a bare domain', 'Splitwise says so on splitwise-reviews.com.'],
    ['an address that a page wrote into its own text', 'Read it on https://elsewhere.example now.'],
    ['a product of another market', 'Salesforce already does this.'],
    ['a product of another market after the first word', 'This is what Duolingo does.'],
    ['a product of two words', 'The nearest is Google Calendar.'],
    ['a product nobody knows', 'The market leader is Zentrova.'],
    ['an unknown product at the head', 'Zentrova offers balances.'],
    ['an unknown product of two words', 'Zentrova Quovex is near.'],
    ['a name with a capital inside', 'Flatmates like payBuddyX.'],
    ['an unknown product that owns something', "Zentrova's balances are better."],
    ['a product of another market that owns something', "It beats Salesforce's reports."],
  ])('goes with %s', (_what, text) => {
    expect(fate(text)).toEqual(FABRICATED);
  });

  it.each([
    ['a share that nobody counted', 'Splitwise holds 62% of it.'],
    ['a count written as share elsewhere', 'Splitwise has 35 staff.'],
    ['a sum', 'Splitwise raised $40M.'],
    ['a year', 'Splitwise began in 1999.'],
    ['a market size', 'The market is worth 4.5 billion.'],
  ])('goes with %s', (_what, text) => {
    expect(fate(text)).toEqual(UNSUPPORTED);
  });

  it("may use the idea's own words and numbers", () => {
    expect(fate('Nobody serves 700 Zentrova drivers.', 'bills for the 700 drivers of Zentrova')).toEqual(KEPT);
  });

  it('takes only itself out of a longer text', () => {
    const rationale = 'Splitwise is near. It holds 62% of the market. Tricount is near as well.';
    const { value, unsupported } = lockSynthesis(synthesis({ recommendation: { ...synthesis().recommendation, rationale } }), analysis(), FINDINGS);
    expect(value.recommendation.rationale).toBe('Splitwise is near. Tricount is near as well.');
    expect(unsupported).toBe(1);
  });
});

describe('a citation', () => {
  it('of an unknown finding is dropped and counted, and so is what rested on it alone', () => {
    const evidenceAgainst = [statement('Splitwise is near.', ['c-splitwise', 'E99']), statement('Tricount is near.', ['E98'])];
    const locked = lockSynthesis(synthesis({ evidenceAgainst }), analysis(), FINDINGS);
    expect(locked.value.evidenceAgainst).toEqual([statement('Splitwise is near.')]);
    expect(locked).toMatchObject({ fabricated: 2, unsupported: 1 });
  });

  it('is added for every product that is named', () => {
    const against = [statement('Splitwise is there, and so is Tricount.'), statement('Splitwiser is no Tricounting.', ['c-splitwise'])];
    const { value } = lockSynthesis(synthesis({ evidenceAgainst: against }), analysis(), FINDINGS, 'splitwiser tricounting');
    const tricount = FINDINGS.find(({ facts }) => facts?.kind === 'company' && facts.name === 'Tricount')?.id;
    expect(value.evidenceAgainst.map(({ evidence_ids: ids }) => ids)).toEqual([['c-splitwise', tricount], ['c-splitwise']]);
  });

  it('is not asked of next steps and assumptions, whose numbers are free too', () => {
    const nextSteps = [{ title: 'Ask 30 flatmates', how: 'In person.', success_signal: '18 of 30 agree.', assumption_id: 'a1', evidence_ids: [] }];
    const assumptions = [{ id: 'a1', text: 'Flatmates log every bill within 2 days.', why_it_matters: 'Else nothing adds up.' }];
    const locked = lockSynthesis(synthesis({ nextSteps, assumptions }), analysis(), FINDINGS);
    expect(locked.value).toMatchObject({ nextSteps, assumptions });
    expect(locked).toMatchObject({ fabricated: 0, unsupported: 0 });
  });

  const step = (how: string, title = 'Post it') => ({ title, how, success_signal: 'Ten answers.', assumption_id: null, evidence_ids: [] });
  const stepOf = (how: string, title?: string) => {
    const { value, fabricated } = lockSynthesis(synthesis({ nextSteps: [step(how, title)] }), analysis(), FINDINGS);
    return { step: value.nextSteps[0], fabricated };
  };

  it('does not let a next step send anybody to an invented address', () => {
    expect(stepOf('Ask ten flatmates. Sign up on https://evil.example.')).toEqual({ step: step('Ask ten flatmates.'), fabricated: 1 });
    expect(stepOf('Sign up on https://evil.example.', 'Go to https://evil.example/now')).toEqual({ step: undefined, fabricated: 2 });
  });

  it('takes one sentence out of a step, not the step', () => {
    const told = stepOf('Post in two groups for flatmates. Ask users of Zentrova why they left. Count the answers.');
    expect(told).toEqual({ step: step('Post in two groups for flatmates. Count the answers.'), fabricated: 1 });
    expect(stepOf('Ask ten flatmates in person.', 'Ask users of Zentrova').step?.title).toBe('Ask ten flatmates in person.');
  });

  it.each([
    'Run it on three Sundays in May, and once more on a Friday in Oct.',
    'Post in r/Flatmates on Reddit and in two Facebook groups in Leeds and Ghent.',
    'Set up a Typeform survey and a Google Sheet; send the link by WhatsApp.',
    'Frag zehn Mitglieder der Hausgemeinschaft nach der letzten Nebenkostenabrechnung.',
    'Put a poster into the Genossenschaft in Vienna and one in New York.',
    'Build a clickable MVP in Figma and show it at the HOA meeting.',
    'Search for programs made for shared flats in Austria.',
    'Apiarists will answer on Saturdays only.',
  ])('lets a step name days, places, tools and channels: %s', (how) => {
    expect(stepOf(how)).toEqual({ step: step(how), fabricated: 0 });
  });

  it.each([
    'Hivelytics will tell.',
    'Sign up at Ringplan.',
    'Ask around in Leeds and Zentrova.',
    'Kitchenly offers it.',
    'Ask the users of Zentrova.',
    'Buy ads on Quovex Prime.',
    'Zentrova will tell.',
    'Compare with payBuddyX in Ghent.',
  ])('lets no step name what nobody knows: %s', (how) => {
    expect(stepOf(how, 'Ask ten flatmates')).toEqual({ step: step('', 'Ask ten flatmates'), fabricated: 1 });
  });
});

describe('what is no name', () => {
  it.each([
    'Splitwise is used most on Sundays and in May.',
    'HOAs and NGOs in the Netherlands use Splitwise.',
    'Apiarists and luthiers share expenses with Splitwise.',
    'Beekeepers will also split the rent.',
    'Die Mitglieder der Genossenschaft teilen die Nebenkosten.',
    'Wohnungseigentümer rechnen die Heizkosten mit Splitwise ab.',
    'Am Montag teilt die Wohngemeinschaft den Einkauf.',
  ])('stays in a claim: %s', (text) => expect(fate(text)).toEqual(KEPT));

  it.each([
    'The leader is BellPlan.',
    'Hivelytics already does this.',
    'Kitchenly offers balances.',
    'Die Mitglieder nutzen Zentrova.',
    'Zentrova bietet die Abrechnung.',
    'Salesforce ist näher.',
    'Wohnungseigentümer nehmen Salesforce.',
  ])('does not hide a name: %s', (text) => expect(fate(text)).toEqual(FABRICATED));
});

describe('a rival', () => {
  const lockOne = (partial: Partial<Competitor>, name = 'Splitwise') => {
    const only = rival(name, partial);
    const locked = lockAnalysis(analysis({ incumbents: [only], emerging: [], features: [{ ...BALANCES, held_by: [only.id] }] }), FINDINGS);
    return { ...locked, rival: locked.value.incumbents[0] };
  };

  it('stays as it is when everything was found', () => {
    expect(lockOne({})).toMatchObject({ rival: rival('Splitwise'), fabricated: 0, unsupported: 0 });
  });

  it('is dropped when no finding that it cites names it', () => {
    expect(lockOne({ evidence_ids: ['c-tricount'] })).toMatchObject({ rival: undefined, fabricated: 1 });
    expect(lockOne({ evidence_ids: ['c-splitwise'] }, 'Zentrova').rival).toBeUndefined();
    expect(lockOne({ evidence_ids: ['E77'] })).toMatchObject({ rival: undefined, fabricated: 1, unsupported: 1 });
  });

  it.each(['SPLITWISE', 'splitwise', 'Split-Wise'])('is found by its name as %s', (name) => {
    expect(lockOne({ evidence_ids: ['c-splitwise'] }, name).rival?.name).toBe(name);
  });

  it("gets the catalogue's address for an invented one, or none when the catalogue does not know it", () => {
    expect(lockOne({ url: 'https://splitwise.evil.example' })).toMatchObject({ rival: { url: 'https://splitwise.app' }, fabricated: 1 });
    expect(lockOne({ url: 'javascript:alert(1)' })).toMatchObject({ rival: { url: 'https://splitwise.app' }, fabricated: 1 });
    const unknown = {
      id: 'owely',
      url: 'https://owely.example',
      evidence_ids: ['w-review'],
      pricing: null,
      description: 'Owely is a bill splitter.',
    };
    expect(lockOne(unknown, 'Owely')).toMatchObject({ rival: { url: null }, fabricated: 1 });
  });

  it('loses particulars that nothing bears out, and is described by its source instead', () => {
    const { rival: kept, unsupported, fabricated } = lockOne({ founded: 1987, funding: 'raised $90M', description: 'It beats Salesforce.' });
    expect(kept).toMatchObject({ founded: null, funding: null, description: 'Shared expenses for flatmates, number 1 of its kind.' });
    expect({ unsupported, fabricated }).toEqual({ unsupported: 2, fabricated: 1 });
  });

  it('names only features that are there, and features name only rivals that are there', () => {
    const locked = lockAnalysis(
      analysis({ incumbents: [rival('Splitwise', { features: ['balances', 'teleport'] }), rival('Zentrova', { evidence_ids: ['c-splitwise'] })] }),
      FINDINGS,
    );
    expect(locked.value.incumbents).toMatchObject([{ id: 'splitwise', features: ['balances'] }]);
    expect(locked.value.features[0]).toMatchObject({ held_by: ['splitwise', 'spliit', 'splid'], frequency: 1 });
  });
});

type Mixed = { analysis: Analysis; synthesis: Synthesis; fabricated: number; unsupported: number; lies: string[] };

/** A report in which each entry is either sound or wrong in exactly one way. */
function mixture(seed: number): Mixed {
  const random = seeded(seed);
  const lies: string[] = [];
  let [fabricated, unsupported] = [0, 0];
  const pick = <T>(choices: readonly T[]): T | undefined => choices[Math.floor(random() * choices.length)];
  const invented = (make: (number: number) => string): string => {
    fabricated += 1;
    const made = make(lies.length + 1);
    lies.push(made);
    return made;
  };
  const rivals = COMPANIES.map((name, index) => {
    const is_incumbent = index < 3;
    const kind = pick(['sound', 'sound', 'url', 'id', 'name']);
    if (kind === 'url') return rival(name, { is_incumbent, url: invented((n) => `https://quovex${n}.example/`) });
    if (kind === 'id') return rival(name, { is_incumbent, evidence_ids: [`c-${rival(name).id}`, invented((n) => `E9${n}`)] });
    if (kind === 'name') return rival(name, { is_incumbent, name: invented((n) => `Quovex${n}`), description: 'It shares expenses.' });
    return rival(name, { is_incumbent });
  });
  const sentences = Array.from({ length: 12 }, () => {
    const kind = pick(['sound', 'sound', 'url', 'id', 'name', 'number']);
    if (kind === 'url') return statement(`Splitwise is near, as ${invented((n) => `https://quovex${n}.example/`)} shows.`);
    if (kind === 'id') return statement('Tricount is near.', ['c-tricount', invented((n) => `E9${n}`)]);
    if (kind === 'name') return statement(`Flatmates use ${invented((n) => `Quovex${n}`)} instead.`);
    if (kind === 'number') {
      unsupported += 1;
      lies.push('77,431');
      return statement('Splitwise has 77,431 shops.');
    }
    return statement('Splitwise is near, founded in 2010.');
  });
  const [incumbents, emerging] = [rivals.slice(0, 3), rivals.slice(3)];
  return { analysis: analysis({ incumbents, emerging }), synthesis: synthesis({ evidenceAgainst: sentences }), fabricated, unsupported, lies };
}

describe('random mixtures of sound and invented entries', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed + 1))('keep nothing invented and lose nothing sound (seed %i)', (seed) => {
    const mixed = mixture(seed);
    const first = lockAnalysis(mixed.analysis, FINDINGS);
    const second = lockSynthesis(mixed.synthesis, first.value, FINDINGS);
    const report = JSON.stringify([first.value, second.value]);
    for (const lie of mixed.lies) expect(report).not.toContain(lie);
    expect(first.fabricated + second.fabricated).toBe(mixed.fabricated);
    expect(first.unsupported + second.unsupported).toBe(mixed.unsupported);
    const sound = mixed.synthesis.evidenceAgainst.filter(({ text }) => !/quovex|77,431/i.test(text));
    expect(second.value.evidenceAgainst.map(({ text }) => text)).toEqual(sound.map(({ text }) => text));
    expect(lockAnalysis(first.value, FINDINGS)).toEqual({ value: first.value, fabricated: 0, unsupported: 0 });
    expect(lockSynthesis(second.value, first.value, FINDINGS)).toEqual({ value: second.value, fabricated: 0, unsupported: 0 });
  });
});
