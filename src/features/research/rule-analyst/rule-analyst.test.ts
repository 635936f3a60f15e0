import { describe, expect, it } from 'vitest';
import { openCatalogue } from '#features/catalogue';
import { ContentlessIdea, type Analysis, type Finding, type Interpretation, type Synthesis } from '../analyst.ts';
import { scoreIdea } from '../scoring.ts';
import { lockAnalysis, lockSynthesis } from '../evidence-lock.ts';
import { ruleAnalyst } from './rule-analyst.ts';

const analyst = ruleAnalyst();
const stage = { signal: new AbortController().signal, attempt: 1, emit: async () => {}, progress: async () => {}, spend: () => {} };
const interpret = (idea: string) => analyst.interpret(idea, stage);

const GROCERIES = 'an app that learns what we buy at the supermarket and writes the shopping list itself, for couples who always buy milk twice';
const DENTISTS =
  'In our dental office the appointment book, the X-rays and the insurance claims live in three programs. I want one place in the browser, with recalls going out every six months.';

let number = 0;
const uuid = (): string => `00000000-0000-5000-8000-${String((number += 1)).padStart(12, '0')}`;
const base = { confidence: 0.5, freshness: 0.5, fetchedAt: '2026-01-01T00:00:00.000Z' };

/** The findings of a market, as the catalogue gives them. */
function findingsOf(idea: string, { categoryIds }: Interpretation): Finding[] {
  const answer = openCatalogue().search(idea, { limit: 3 });
  const companies = answer.companies.filter(({ category }) => categoryIds.includes(category.id)).slice(0, 16);
  const features = answer.features.filter(({ category }) => categoryIds.includes(category.id));
  return [
    ...companies.map(({ company, category, features: held, score }): Finding => ({
      ...base,
      id: uuid(),
      kind: 'canonical_company',
      url: `https://${company.domain}`,
      title: company.name,
      snippet: company.summary,
      text: company.summary,
      facts: { kind: 'company', companyId: company.id, categoryId: category.id, ...company, featureIds: held, relevance: score },
    })),
    ...features.map(({ feature, category, certainty, heldBy }): Finding => ({
      ...base,
      id: uuid(),
      kind: 'canonical_feature',
      url: null,
      title: feature.name,
      snippet: feature.description,
      text: feature.description,
      facts: {
        kind: 'feature',
        featureId: feature.id,
        categoryId: category.id,
        name: feature.name,
        description: feature.description,
        certainty,
        heldBy,
      },
    })),
  ];
}

const webPage = (url: string, title: string, text: string): Finding => ({
  ...base,
  id: uuid(),
  kind: 'web',
  url,
  title,
  snippet: text,
  text,
  facts: null,
});

type Report = { about: Interpretation; findings: Finding[]; analysis: Analysis; synthesis: Synthesis };

async function research(idea: string, more: Finding[] = []): Promise<Report> {
  const about = await interpret(idea);
  const findings = [...findingsOf(idea, about), ...more];
  const analysis = await analyst.analyze(about, findings, stage, { strict: false });
  return { about, findings, analysis, synthesis: await analyst.synthesize(about, analysis, findings, stage) };
}

const rivalsOf = ({ incumbents, emerging }: Analysis) => [...incumbents, ...emerging];

function sentencesOf({ synthesis }: Report): string[] {
  const { recommendation, whitespaces, evidenceAgainst, assumptions, nextSteps, phase1, phase2 } = synthesis;
  return [
    recommendation.rationale,
    ...[...recommendation.reasons_for, ...recommendation.reasons_against, ...evidenceAgainst].map(({ text }) => text),
    ...recommendation.parts.map(({ explanation }) => explanation),
    ...whitespaces.flatMap((gap) => [gap.title, gap.description]),
    ...assumptions.flatMap((entry) => [entry.text, entry.why_it_matters]),
    ...nextSteps.flatMap((step) => [step.title, step.how, step.success_signal]),
    ...[...phase1, ...phase2].map(({ reason }) => reason),
  ];
}

describe('interpret', () => {
  it.each([
    'make something cool',
    'asdf asdf',
    'an app',
    'I want to be rich',
    '???',
    '   ',
    'test',
    'something with AI',
    'qwertyuiop',
    'blah blah blah',
    'hello??? is anyone there',
  ])('refuses %j', async (text) => {
    await expect(interpret(text)).rejects.toBeInstanceOf(ContentlessIdea);
  });

  it.each([
    'a marketplace for antique submarine propellers',
    'tool for beekeepers to log hive inspections',
    'dog walking app',
    'приложение для учета расходов семьи',
    'een app om samen met buren gereedschap te delen',
    '家族の買い物リストを共有するアプリ',
  ])('takes %j for an idea', async (text) => {
    expect((await interpret(text)).normalizedIdea.length).toBeGreaterThan(5);
  });

  it('reads who it is for, what hurts and what it does', async () => {
    const about = await interpret(GROCERIES);
    expect(about).toMatchObject({ language: 'en', shortTitle: 'Learning Shopping List', categoryIds: ['grocery-lists'], marketType: 'b2c' });
    expect(about.targetUser).toContain('ouples');
    expect(about.problemStatement).toContain('buy milk twice');
    expect(about.proposedSolution).toMatch(/^Learns what we buy/);
    expect(about.askedFor).toContainEqual(expect.objectContaining({ label: 'learns what we buy at the supermarket', featureId: null }));
  });

  it.each([
    ['AI meal planner for parents of picky kids', 'AI Dinner Planner'],
    ['An offline hiking map for families', 'Offline Hiking Map'],
    ['I hear birds on my walk and want to know who sings. Record ten seconds and tell me.', 'Bird Identification'],
    // A long story mentions photos, parents and a studio by the way.
    [
      'I own a nursery with sixty kids. Parents sign in on paper, teachers write daily notes by hand, I chase fees every month, and everybody asks for photos of the day.',
      'Nursery Management',
    ],
    ["Je fais de l'animation 2D image par image, seule, pour des courts métrages. Les logiciels de studio sont hors de prix.", '2d Animation'],
  ])('calls “%s” %s', async (idea, expected) => {
    expect((await interpret(idea)).shortTitle).toBe(expected);
  });

  it('leaves German nouns as they are written', async () => {
    const about = await interpret('Meine Mutter vergisst ihre Tabletten. Eine App, die sie erinnert und mir Bescheid gibt.');
    expect(about.oneLineSummary).toContain('for Mutter');
  });

  it('finds whom an idea is for by who runs it, not by what it takes', async () => {
    const piano = await interpret(
      'i teach piano to 30 kids. parents pay late, kids dont practise. one app for schedule + payments + practice log w/ stickers??',
    );
    expect(piano.targetUser).toMatch(/teach piano/);
    expect(piano.proposedSolution).toContain('One app for schedule, payments, practice log with stickers');
    const bank = await interpret(
      'our food bank coordinates 80 volunteers with a spreadsheet, shifts stay empty and nobody knows who has the training',
    );
    expect(bank.targetUser).toBe('A food bank');
  });

  it('asks nobody to keep up what the product does by itself', async () => {
    const { synthesis } = await research(
      'Our procurement team misses renewals. A tool that finds unused seats from SSO logs and warns before renewal.',
    );
    expect(synthesis.assumptions.map(({ id }) => id)).not.toContain('log');
    expect(JSON.stringify(synthesis.assumptions)).toContain('people in procurement teams');
  });

  it('takes what follows an introduction for the matter, the names in it too', async () => {
    const idea = 'Small trucking firm, 12 trucks. Drivers send photos of delivery notes by WhatsApp, the office types them into invoices';
    const { about, findings, analysis, synthesis } = await research(idea);
    expect(about.problemStatement).toMatch(/^Drivers send photos/);
    expect(lockSynthesis(synthesis, analysis, findings, idea)).toMatchObject({ fabricated: 0, unsupported: 0 });
  });

  it.each([
    ['Window cleaner with 300 regular customers: I need rounds and a text the night before', 'window cleaners with 300 regular customers'],
    ['Physiotherapists hand out exercise sheets on paper; patients forget them', 'physiotherapists'],
  ])('speaks of them as many: “%s”', async (idea, whom) => {
    expect(JSON.stringify((await research(idea)).synthesis.assumptions)).toContain(whom);
  });

  it.each([
    'A budgeting app for couples who keep separate accounts but share rent and groceries',
    'I sell knitting patterns as PDFs and spend evenings chasing people who share the files',
  ])('sees no two sides in what is paid or done today: “%s”', async (idea) => {
    expect((await research(idea)).synthesis.assumptions.map(({ id }) => id)).not.toContain('sides');
  });

  it.each([
    'I never keep up a habit longer than two weeks. An app that shows my streak and nudges me.',
    'Our support mails sit in one shared inbox and two of us answer the same customer.',
    'I want to stop smoking and need something on the phone for the first weeks of cravings.',
    'Cocktails at home: tell me what I can mix from the bottles I own.',
    "Sales calls are recorded and never used; all the good objection handling lives in Priya's head.",
    'For diabetics: log sugar, insulin and meals and see patterns.',
  ])('says nothing that its own sources do not bear out: “%s”', async (idea) => {
    const { about, findings } = await research(idea);
    const analysis = lockAnalysis(await analyst.analyze(about, findings, stage, { strict: false }), findings, idea);
    const synthesis = lockSynthesis(await analyst.synthesize(about, analysis.value, findings, stage), analysis.value, findings, idea);
    expect([analysis.fabricated, analysis.unsupported, synthesis.fabricated, synthesis.unsupported]).toEqual([0, 0, 0, 0]);
  });

  it('takes a long wait for a pain', async () => {
    const about = await interpret('New hires wait two weeks for laptop, badge and accounts because HR, IT and facilities each keep their own list');
    expect(about.clarity.problem).toBeGreaterThan(0.4);
  });

  it('takes who says it for whom, and a wish for no pain', async () => {
    const listed = await interpret(
      'Things I need as a fantasy novelist:\n- write long manuscripts in scenes\n- a timeline of who knows which secret',
    );
    expect(listed.targetUser).toBe('A fantasy novelist');
    expect(listed.proposedSolution).not.toMatch(/novelist/i);
    const wished = await interpret('I clean pools. Route and chemical readings on the phone. Voice or photo of the test strip would be sick.');
    expect(wished.problemStatement).not.toMatch(/sick/);
    const ticket = await interpret('Flaky tests make developers press re-run. Something scoring each test and opening a ticket for the right team.');
    expect(ticket.targetUser).not.toMatch(/team/i);
  });

  it.each([
    ['Small law firms lose hours because billing time is reconstructed at month end', 'Small law firms'],
    ['Restaurant bills get lost on the way to the accountant', ''],
    ["People who bake sourdough want to swap starters and rate each other's crumb", 'People who bake sourdough'],
    ['People with allergies never know what is in a dish', 'People with allergies'],
    ['Something for people who want to stop smoking', 'People who want to stop smoking'],
    ['Our church hands out paper sign-up sheets for volunteers and nobody turns up', 'Volunteers'],
    ['Window cleaner, 480 houses on a four and eight weekly mix. I text them the night before and knock for money', 'A window cleaner'],
    ["I'm a piano tuner in Leeds with 600 customers on index cards. Nobody remembers when their piano was last done", 'A piano tuner'],
    ['I am a bit lost on paper and water bills. They come late and I pay them twice', ''],
    ['Regional grocer with 40 stores in Finland. Packs are turned each morning to find dates', 'A regional grocer with 40 stores in Finland'],
    ['We run a 14-room guesthouse in Galway. Two booking sites, our own website, and the telephone', 'People who run a 14-room guesthouse in Galway'],
    ['Butter went up 40%, and I make bespoke shopfittings and am owed money. Who pays late should be reminded', ''],
    ['We are seven mechanical engineers on a shared drive. Twice the wrong drawing went to the mill', 'Seven mechanical engineers'],
    ['Étudiante en maths à Lyon, je cherche des élèves de lycée pour donner des cours après 17 h', 'Étudiante en maths à Lyon'],
    ['I think while walking the dog. By the time I am home the thought is gone, and voice memos are twenty minutes long', ''],
  ])('reads whom "%s" is about', async (idea, user) => {
    const { targetUser } = await interpret(idea);
    expect(targetUser.startsWith('Not said') ? '' : targetUser).toBe(user);
  });

  it('takes what stands after "Needs:" for what is asked', async () => {
    const told =
      'We play silence from midnight to four. Needs: shows recorded at home and uploaded, a log of the tracks for the royalties people. One Linux box';
    expect((await interpret(told)).proposedSolution).toMatch(/recorded at home and uploaded/);
  });

  it('is called after its writer where no market gives it a name', async () => {
    const told = 'Weathervane keeper, three towers. The storks sit on them and the brass creaks at night, and nobody climbs up in winter';
    expect((await interpret(told)).shortTitle).toBe('Weathervane Keeper Tool');
  });

  it('reads “a printed book for the family” as no product for the family', async () => {
    const about = await interpret(
      'My grandmother tells her life into the phone, one question a week. At the end it makes a printed book for the family.',
    );
    expect(about.categoryIds).toEqual(['life-stories']);
    expect(about.askedFor.map(({ featureId }) => featureId)).toContain('printed-memoir');
  });

  it('makes nobody’s wife a kind of people or a title', async () => {
    const about = await interpret(
      'My wife makes video courses on watercolor. She wants to sell courses and a monthly membership with live feedback on paintings.',
    );
    expect(about.targetUser).toBe('My wife');
    expect(about.shortTitle).not.toMatch(/wife/i);
  });

  it('takes one word of a longer phrase, however rare, for no wish', async () => {
    const told =
      'My mother looks after my grandfather and we three siblings never know who goes there on which day, nor which medicines he was given';
    const asked = (await interpret(told)).askedFor.map(({ featureId }) => featureId);
    expect(asked).toContain('medication-log');
    expect(asked).not.toContain('facility-search');
    expect(asked).not.toContain('senior-locator');
  });

  it('is as sure of a market when the product has a made-up name', async () => {
    const plain = await interpret('A password manager for small teams that shares logins without showing them');
    const named = await interpret('A password manager for small teams that shares logins without showing them, called Zorbly');
    expect(named.categoryIds).toEqual(plain.categoryIds);
    expect(Math.abs(named.confidence - plain.confidence)).toBeLessThan(0.1);
  });

  it('tells what an idea adds from what its market exists for', async () => {
    const about = await interpret('A shared grocery list that learns what a household runs out of');
    expect(about).toMatchObject({
      shortTitle: 'Learning Grocery List',
      oneLineSummary: 'A shared grocery list that learns what a household runs out of',
      targetUser: 'Households',
      askedFor: [
        { label: 'Real-time sharing', featureId: 'real-time-sharing' },
        { label: 'learns what a household runs out of', featureId: null },
      ],
    });
  });

  it.each([
    [
      'I run a three-chair barber shop and every Saturday four people do not turn up, I want them to pay a little up front',
      'do not turn up',
      'up front',
    ],
    ['Minha mãe tem uma padaria e joga fora pão todo dia, queria prever quanto assar pelo tempo', 'joga fora pão', 'prever'],
    ['Wir sind eine Schreinerei und die Stunden stehen auf Zetteln, ich will wissen, was jede Küche gekostet hat', 'Zetteln', 'Küche'],
  ])('parts what is so from what is wished for within a sentence: %s', async (idea, problem, solution) => {
    const about = await interpret(idea);
    expect(about.problemStatement).toContain(problem);
    expect(about.problemStatement).not.toContain(solution);
    expect(about.proposedSolution).toContain(solution);
  });

  it('names no idea after the small words of another language', async () => {
    const about = await interpret(
      'Wir sind ein Schreinerbetrieb mit acht Leuten, am Monatsende rechne ich zwei Tage lang nach, was jede Treppe wirklich gekostet hat',
    );
    expect(about.shortTitle).not.toMatch(/^Wir\b/);
  });

  it('takes a situation told before a wish for the problem', async () => {
    const about = await interpret(DENTISTS);
    expect(about.problemStatement).toContain('three programs');
    expect(about.proposedSolution).toContain('place in the browser');
    expect(about.targetUser).toContain('ental office');
  });

  it('says so when nobody is named', async () => {
    expect((await interpret('split restaurant bills by item after scanning the receipt')).targetUser).toMatch(/^Not said/);
  });

  it.each([
    ['es', 'una app para que mi pareja y yo no compremos siempre la leche dos veces, con la lista de la compra compartida', 'grocery-lists'],
    ['de', 'Ich vergesse ständig, meine Zimmerpflanzen zu gießen. Eine App, die mich an jede Pflanze erinnert.', 'plant-care'],
    ['fr', 'partager les dépenses entre colocataires et savoir qui doit combien à qui après un voyage', 'bill-splitting'],
    ['pt', 'dividir as despesas da viagem entre amigos e saber quem deve quanto a quem', 'bill-splitting'],
  ])('finds the market of an idea in %s', async (language, idea, market) => {
    const about = await interpret(idea);
    expect(about.language).toBe(language);
    expect(about.categoryIds[0]).toBe(market);
  });

  it('cleans rambling, bullets and common misspellings without adding anything', async () => {
    const { normalizedIdea } = await interpret('so basically um i wanna track  recieved packages!!!\n- scan teh label\n- remind ppl');
    expect(normalizedIdea).toBe('I want to track received packages. Scan the label. Remind people.');
  });
});

describe('judge', () => {
  it('leaves out what shares nothing with the idea, and says why', async () => {
    const about = await interpret(GROCERIES);
    const near = webPage('https://example.org/a', 'Shared shopping lists for couples', 'A supermarket shopping list that learns what you buy.');
    const far = webPage('https://example.org/b', 'Rocket engines', 'Thrust chambers and turbopumps.');
    const judgement = await analyst.judge(about, [near, far], stage);
    expect(judgement.relevant).toEqual([near.id]);
    expect(judgement.notes.map(({ id }) => id)).toEqual([far.id]);
  });
});

describe('analyze', () => {
  it('counts who has a feature among the rivals it lists', async () => {
    const { analysis, findings } = await research(DENTISTS);
    const rivals = rivalsOf(analysis);
    const ids = new Set(findings.map(({ id }) => id));
    for (const feature of analysis.features) {
      const holders = rivals.filter((rival) => rival.features.includes(feature.id)).map((rival) => rival.id);
      expect([...feature.held_by].sort()).toEqual(holders.sort());
      expect(feature.frequency).toBeCloseTo(holders.length / rivals.length, 10);
      expect(feature.evidence_ids.length).toBeGreaterThan(0);
      expect(feature.evidence_ids.every((id) => ids.has(id))).toBe(true);
    }
  });

  it('marks what no market knows as only of this idea', async () => {
    const { analysis } = await research(GROCERIES);
    const own = analysis.features.filter((feature) => feature.tier === 'only_this_idea');
    expect(own.map(({ name }) => name)).toEqual(['Learns what we buy at the supermarket']);
    expect(rivalsOf(analysis).every((rival) => rival.overlap < 1)).toBe(true);
  });

  it('adds a page of a known product to that product', async () => {
    const page = webPage('https://www.anylist.com/features', 'AnyList: features', 'A grocery shopping list to share and organise recipes.');
    const { analysis } = await research(GROCERIES, [page]);
    expect(analysis.incumbents.find(({ id }) => id === 'anylist')?.evidence_ids).toContain(page.id);
  });

  it('takes an unknown product from its own page and from no directory, article or forum', async () => {
    const { analysis } = await research(GROCERIES, [
      webPage(
        'https://milkmind.app/',
        'MilkMind | The shopping list that thinks',
        'A shared shopping list for couples with barcode scan and expiry date warnings.',
      ),
      webPage('https://www.g2.com/products/basketly', 'Basketly reviews', 'A shopping list for the supermarket.'),
      webPage('https://blog.example.com/best-shopping-list-apps', '10 best shopping list apps', 'A shopping list for the supermarket.'),
      webPage('https://www.reddit.com/r/groceries', 'Which shopping list do you use?', 'A shopping list for the supermarket.'),
    ]);
    const names = rivalsOf(analysis).map(({ name }) => name);
    expect(names).toContain('MilkMind');
    expect(names.join(' ')).not.toMatch(/Basketly|best|Which|reddit/i);
    expect(analysis.emerging.find(({ name }) => name === 'MilkMind')?.url).toBe('https://milkmind.app');
  });
});

describe('synthesize', () => {
  it('rests every cited sentence on findings', async () => {
    const { synthesis, findings } = await research(GROCERIES);
    const ids = new Set(findings.map(({ id }) => id));
    const cited = [
      ...synthesis.evidenceAgainst,
      ...synthesis.whitespaces,
      ...synthesis.recommendation.reasons_for,
      ...synthesis.recommendation.reasons_against,
      ...synthesis.nextSteps,
      ...synthesis.phase1,
      ...synthesis.phase2,
    ];
    expect(cited.length).toBeGreaterThan(10);
    for (const statement of cited) {
      expect(statement.evidence_ids.length).toBeGreaterThan(0);
      expect(statement.evidence_ids.every((id) => ids.has(id))).toBe(true);
    }
  });

  it('takes the score from the rubric', async () => {
    const { about, analysis, findings, synthesis } = await research(DENTISTS);
    const { score, verdict, parts } = scoreIdea(about, analysis, findings);
    expect(synthesis.recommendation).toMatchObject({ score, verdict, parts });
  });

  it('lets no sentence stand under an idea of another market', async () => {
    const [left, right] = await Promise.all([research(GROCERIES), research(DENTISTS)]);
    const other = new Set(sentencesOf(right));
    expect(sentencesOf(left).filter((sentence) => other.has(sentence))).toEqual([]);
  });

  it('ties next steps to assumptions and sets numbers to go by', async () => {
    const { synthesis } = await research(DENTISTS);
    const assumptions = new Set(synthesis.assumptions.map(({ id }) => id));
    expect(synthesis.nextSteps.length).toBeGreaterThanOrEqual(3);
    for (const step of synthesis.nextSteps) expect(assumptions).toContain(step.assumption_id);
    expect(synthesis.nextSteps.filter((step) => /\d/.test(step.success_signal)).length).toBeGreaterThanOrEqual(3);
  });

  it('puts each feature into one phase and at most seven into the first', async () => {
    const { synthesis } = await research(DENTISTS);
    const ids = [...synthesis.phase1, ...synthesis.phase2].map(({ id }) => id);
    expect(synthesis.phase1.length).toBeLessThanOrEqual(7);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says the same twice', async () => {
    const about = await interpret(DENTISTS);
    const findings = findingsOf(DENTISTS, about);
    const run = async () => analyst.synthesize(about, await analyst.analyze(about, findings, stage, { strict: false }), findings, stage);
    expect(await run()).toEqual(await run());
  });
});

describe('remix', () => {
  it('gives three pivots that differ and name rivals', async () => {
    const { about, analysis, synthesis } = await research(GROCERIES);
    const competitors = rivalsOf(analysis);
    const pivots = await analyst.remix(
      {
        idea: about.normalizedIdea,
        shortTitle: about.shortTitle,
        targetUser: about.targetUser,
        categoryIds: about.categoryIds,
        whitespaces: synthesis.whitespaces,
        features: analysis.features,
        competitors,
        audience: analysis.audience,
      },
      stage,
    );
    expect(pivots).toHaveLength(3);
    expect(new Set(pivots.map(({ idea }) => idea)).size).toBe(3);
    for (const pivot of pivots)
      expect([...openCatalogue().categories].flatMap((category) => category.companies).some(({ name }) => pivot.differentiation.includes(name))).toBe(
        true,
      );
  });
});
