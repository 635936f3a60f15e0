import { describe, expect, it } from 'vitest';
import { openCatalogue } from '#features/catalogue';
import { ContentlessIdea, type Analysis, type Finding, type Interpretation, type Synthesis } from '../analyst.ts';
import { scoreIdea } from '../scoring.ts';
import { lockAnalysis, lockSynthesis } from '../evidence-lock.ts';
import { coverageOf, coveredShare } from '#lib/coverage.ts';
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

  const said = ({ targetUser, problemStatement, proposedSolution, place, price, askedFor, unasked = [] }: Interpretation): string[] =>
    [targetUser, problemStatement, proposedSolution, place, price, ...unasked, ...askedFor.map(({ quote }) => quote)].filter(
      (text) => text !== undefined && text !== '',
    ) as string[];

  it.each([
    GROCERIES,
    DENTISTS,
    'Meine Mutter vergisst ihre Tabletten. Ich möchte eine App, die sie erinnert und mir Bescheid gibt.',
    'i teach piano to 30 kids. parents pay late, kids dont practise. one app for schedule + payments + practice log w/ stickers??',
    'Minha mãe tem uma padaria e joga fora pão todo dia, queria prever quanto assar pelo tempo',
    'Things I need as a fantasy novelist:\n- write long manuscripts in scenes\n- a timeline of who knows which secret',
  ])('says nothing but what stands in the idea: %s', async (idea) => {
    const about = await interpret(idea);
    for (const text of said(about)) expect(idea).toContain(text);
    expect(about.proposedSolution).not.toBe('');
  });

  it('leaves empty what is not said', async () => {
    const about = await interpret('split restaurant bills by item after scanning the receipt');
    expect(about).toMatchObject({ targetUser: '', problemStatement: '', productName: null });
  });

  it.each([
    ['Small tools for people who bake sourdough at home', 'people who bake sourdough at home'],
    ['A rota for nurses in small hospitals', 'nurses in small hospitals'],
    ['An app for dentists that fills cancelled appointments', 'dentists'],
    ["I'm a piano tuner in Leeds with 600 customers on index cards. Nobody remembers when their piano was last done", 'piano tuner'],
    ['I want to learn how clocks work', ''],
    ['Eine App für Imker, die Waagen ausliest', 'Imker'],
  ])('reads whom “%s” is for', async (idea, user) => {
    expect((await interpret(idea)).targetUser).toBe(user);
  });

  it('is as sure of a market when the product has a made-up name, and takes the name', async () => {
    const plain = await interpret('A password manager for small teams that shares logins without showing them');
    const named = await interpret('A password manager for small teams that shares logins without showing them, called Zorbly');
    expect(named.categoryIds).toEqual(plain.categoryIds);
    expect(Math.abs(named.confidence - plain.confidence)).toBeLessThan(0.1);
    expect([plain.productName, named.productName, named.shortTitle]).toEqual([null, 'Zorbly', 'Zorbly']);
  });

  it('is sure of what its market exists for, and says what is asked for in the market’s words or its own', async () => {
    const about = await interpret('A shared grocery list that learns what a household runs out of');
    expect(about).toMatchObject({ certainty: 'sure', candidates: [], categoryIds: ['grocery-lists'], language: 'en' });
    expect(about.askedFor.map(({ featureId }) => featureId)).toContain('real-time-sharing');
  });

  it('is not sure where the catalogue knows little, and judges by no market then', async () => {
    const { about, analysis, synthesis } = await research('A pendulum that apologises to the floor of lighthouses every equinox');
    expect(about.certainty).not.toBe('sure');
    expect(about.categoryIds).toEqual([]);
    expect(analysis).toMatchObject({ incumbents: [], emerging: [], features: [] });
    expect(synthesis).toMatchObject({ phase1: [], phase2: [], nextSteps: [], recommendation: { score: null, verdict: 'insufficient_data' } });
  });

  it.each([
    ['es', 'una app para que mi pareja y yo no compremos siempre la leche dos veces, con la lista de la compra compartida', 'grocery-lists'],
    ['de', 'Ich vergesse ständig, meine Zimmerpflanzen zu gießen. Eine App, die mich an jede Pflanze erinnert.', 'plant-care'],
    ['fr', 'partager les dépenses entre colocataires et savoir qui doit combien à qui après un voyage', 'bill-splitting'],
    ['pt', 'dividir as despesas da viagem entre amigos e saber quem deve quanto a quem', 'bill-splitting'],
  ])('finds the market of an idea in %s', async (language, idea, market) => {
    const about = await interpret(idea);
    expect(about.language).toBe(language);
    expect([...about.categoryIds, ...(about.candidates ?? []).map(({ id }) => id)][0]).toBe(market);
  });

  it.each([
    'I never keep up a habit longer than two weeks. An app that shows my streak and nudges me.',
    'Our support mails sit in one shared inbox and two of us answer the same customer.',
    'Cocktails at home: tell me what I can mix from the bottles I own.',
    'A tool that records sales calls and finds how the best sellers handle objections.',
    'For diabetics: log sugar, insulin and meals and see patterns.',
  ])('says nothing that its own sources do not bear out: “%s”', async (idea) => {
    const { about, findings } = await research(idea);
    const analysis = lockAnalysis(await analyst.analyze(about, findings, stage, { strict: false }), findings, idea);
    const synthesis = lockSynthesis(await analyst.synthesize(about, analysis.value, findings, stage), analysis.value, findings, idea);
    expect([analysis.fabricated, analysis.unsupported, synthesis.fabricated, synthesis.unsupported]).toEqual([0, 0, 0, 0]);
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

  it('lists what the idea asks for in its own words, and what a firm says of itself counts', async () => {
    const idea = 'A shared grocery list for families that compares supermarket prices and reads recipes aloud while cooking';
    const { about, analysis } = await research(idea);
    const own = about.askedFor.filter(({ featureId }) => featureId === null);
    for (const { label } of own) expect(analysis.features.map(({ name }) => name.toLowerCase())).toContain(label.toLowerCase());
    for (const rival of rivalsOf(analysis)) expect(rival.overlap).toBe(coveredShare(coverageOf(rival, analysis.features)));
  });

  it('takes a firm to have what its own description says', async () => {
    const page = webPage(
      'https://milkmind.app/',
      'MilkMind | The shopping list that thinks',
      'A grocery list that plays whale sounds while you shop.',
    );
    const { analysis } = await research(`${GROCERIES}. It should play whale sounds while we shop`, [page]);
    const own = analysis.features.find(({ name }) => /whale/i.test(name));
    expect(own?.held_by).toEqual(['milkmind-app']);
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

  it('has next steps only for what can be looked up, tied to what is assumed', async () => {
    const { synthesis } = await research(DENTISTS);
    const assumptions = new Set(synthesis.assumptions.map(({ id }) => id));
    for (const step of synthesis.nextSteps) expect(assumptions).toContain(step.assumption_id);
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
