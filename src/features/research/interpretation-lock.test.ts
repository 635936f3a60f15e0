import { describe, expect, it } from 'vitest';
import type { Interpretation } from './analyst.ts';
import { saidIn } from './grounding/said.ts';
import { lockInterpretation } from './interpretation-lock.ts';
import { interpretIdea } from './rule-analyst/interpret.ts';

const IDEA = 'We are 2 flatmates in Lyon and argue over who paid what: an app that splits the rent, like splitwise, for €5 a month';

const RULES = await interpretIdea(IDEA);

const reading = (more: Partial<Interpretation> = {}): Interpretation => ({
  ...RULES,
  shortTitle: 'Flatmate Rent Splitter',
  oneLineSummary: 'An app for two flatmates in Lyon that splits the rent.',
  targetUser: 'Flatmates who share a flat.',
  problemStatement: 'Two flatmates argue over who paid what, although Splitwise exists.',
  proposedSolution: 'It splits the rent for 5 euros a month.',
  subcategory: 'Rent splitting',
  askedFor: [{ label: 'split the rent', featureId: null }],
  ...more,
});

describe('what a text says of another', () => {
  it.each([
    ['We are 2 flatmates and pay €5 a month', 'Two flatmates pay 5 euros a month.'],
    ['1,500 shops, 30 percent no-shows', '1500 shops with 30% no-shows'],
    ['zwei Leute, fünf Euro, 30 Prozent', 'Two people pay €5, 30% of it now.'],
    ['10.000 Kunden', '10,000 customers'],
    ['tres coches y 2 motos', 'three cars and two motorbikes'],
    ['twenty-five kids, two hundred and fifty rooms, a dozen eggs', '25 kids, 250 rooms, 12 eggs'],
    ['10k users', '10,000 users'],
    ['see Splitwise.com/pro', 'As https://www.splitwise.com/pro/ and splitwise.com do.'],
    ['mail me at A.B@x.org', 'Write to a.b@X.org'],
    ['like whatsapp but for excel', 'Like WhatsApp, but for Excel'],
    ['five euros, 5 percent, 6 per week', '€5, five per cent, six per week'],
  ])('“%s” bears out “%s”', (idea, text) => {
    expect(saidIn([idea]).faultOf(text)).toBeUndefined();
  });

  it.each([
    ['5 users', '$5 a month', 'unsupported'],
    ['5 users', '5% of users', 'unsupported'],
    ['we pay €5', 'we pay $5', 'unsupported'],
    ['5 users', '5 per cent', 'unsupported'],
    ['five users', 'five percent', 'unsupported'],
    ['five people', 'fifty people', 'unsupported'],
    ['a shop', 'a shop founded in 2014', 'unsupported'],
    ['an app', '17x faster', 'unsupported'],
    ['an app', 'for hundreds of firms', 'unsupported'],
    ['splitwise.com', 'splitwise.com/pricing', 'fabricated'],
    ['a@b.co', 'c@b.co', 'fabricated'],
    ['an app', 'an app at zentrova.tools', 'fabricated'],
    ['an app', 'an app at http://intranet/x', 'fabricated'],
    ['an app', 'an app like Splitwise', 'fabricated'],
    ['an app', 'They meet in Elmwood Crescent.', 'fabricated'],
  ])('“%s” does not bear out “%s”', (idea, text, fault) => {
    expect(saidIn([idea]).faultOf(text)).toBe(fault);
  });

  it('takes its time from the length of a text alone', () => {
    for (const text of [
      'a'.repeat(5000),
      'a.'.repeat(2500),
      'a-'.repeat(2500),
      'a@'.repeat(2500),
      'two '.repeat(1250),
      '1.'.repeat(2500),
      '$ '.repeat(2500),
    ]) {
      const { user } = process.threadCpuUsage();
      saidIn([text]).faultOf(text);
      expect((process.threadCpuUsage().user - user) / 1000).toBeLessThan(100);
    }
  });
});

describe('lockInterpretation', () => {
  it('leaves what the idea says in other words, and counts nothing', async () => {
    expect(await lockInterpretation(reading(), IDEA)).toEqual({ value: reading(), fabricated: 0, unsupported: 0 });
  });

  it.each([
    IDEA,
    'Head brewer at a 5,000-barrel brewery. Batch sheets are on clipboards.',
    'Quiero una app para repartir el alquiler entre 3 amigos',
  ])('leaves the reading of the rules as it is: %s', async (idea) => {
    const about = await interpretIdea(idea);
    expect(await lockInterpretation(about, idea)).toEqual({ value: about, fabricated: 0, unsupported: 0 });
  });

  const lies = [
    'See https://www.zentrova.com/app for it.',
    'It is at zentrova.io.',
    'Write to zentrova@x.org.',
    'It costs $47 a month, says Zentrova.',
    'Some 83% of zentrova leave.',
    'It began as zentrova in 1987.',
    'It is better than Zentrova Quovex for them.',
  ];
  it.each(lies)('puts the rules’ reading in the place of “%s”, and counts it', async (lie) => {
    const texts = {
      normalizedIdea: `${IDEA}. ${lie}`,
      oneLineSummary: lie,
      targetUser: lie,
      problemStatement: lie,
      proposedSolution: lie,
      subcategory: lie,
    };
    const { value, fabricated, unsupported } = await lockInterpretation(
      reading({
        ...texts,
        category: lie,
        categoryIds: [],
        marketType: lie,
        shortTitle: 'Zentrova Quovex',
        productName: 'Zentrova',
        askedFor: [{ label: lie, featureId: null }],
      }),
      IDEA,
    );
    expect(JSON.stringify(value).toLowerCase()).not.toContain('zentrova');
    expect(value).toMatchObject({
      normalizedIdea: RULES.normalizedIdea,
      oneLineSummary: RULES.oneLineSummary,
      problemStatement: RULES.problemStatement,
      shortTitle: RULES.shortTitle,
      productName: null,
      category: 'Market outside the catalogue',
      marketType: '',
      askedFor: [],
    });
    expect(fabricated + unsupported).toBeGreaterThanOrEqual(8);
  });

  it('says nothing of the market that the rules would have taken where none was chosen', async () => {
    const lie = 'See zentrova.io for it.';
    const idea = 'A meal planner that plans weekly menus and makes the shopping list';
    const about = reading({ targetUser: lie, problemStatement: lie, subcategory: lie, categoryIds: [], certainty: 'unknown' });
    const { value } = await lockInterpretation(about, idea);
    expect((await interpretIdea(idea)).subcategory).not.toBe('');
    expect(value.subcategory).toBe('');
    expect(value.targetUser).not.toMatch(/^Not said/);
    expect(value.problemStatement).not.toMatch(/^Not said/);
  });

  it('falls back on the idea itself where the rules cannot read it', async () => {
    const idea = 'アプリ';
    const about = reading({ normalizedIdea: 'An app that costs $47.', targetUser: 'It has 8,431 users.', categoryIds: [] });
    const { value } = await lockInterpretation(about, idea);
    expect(value).toMatchObject({ normalizedIdea: expect.stringContaining(idea) });
    expect(JSON.stringify(value)).not.toMatch(/\$47|8,431/);
  });
});
