import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slugify } from '#lib/text.ts';
import { startTestApp, type TestApp } from '#testing/app.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { RECORDED_IDEAS, type RecordedIdea } from '#testing/recorded-ideas.ts';
import { repeatedShare } from '#testing/repeated-share.ts';
import { entriesIn } from '#testing/scripted-answers.ts';
import { startScriptedModel, type Script, type ScriptedModelServer } from '#testing/scripted-model-server.ts';
import { openSearchServer, type SearchServer, type ServedPage } from '#testing/search-server.ts';
import type { ResearchArtifact } from './schema.ts';

type Call = Parameters<NonNullable<Script['answer']>>[0];
/** Appended to what the model says: sentences that nothing bears out. */
type Spoil = (text: string) => string;

let current: { recorded: RecordedIdea; spoil: Spoil; isLying: boolean } | undefined;
let model: ScriptedModelServer;
let site: SearchServer;
let app: TestApp;

const pathOf = (name: string): string => `/${slugify(name)}`;

function servedPages(): Record<string, ServedPage> {
  const pages = RECORDED_IDEAS.flatMap(({ remembered }) => remembered).flatMap(({ name, page }) =>
    page
      ? [
          [
            pathOf(name),
            { body: `<html><head><title>${page.title}</title></head><body><article><p>${page.text}</p></article></body></html>` },
          ] as const,
        ]
      : [],
  );
  return Object.fromEntries(pages);
}

beforeAll(async () => {
  site = await openSearchServer({ pages: servedPages() });
  model = await startScriptedModel({ answer: (call) => (current ? answerOf(call, current) : undefined) });
  app = await startTestApp({ env: { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'recorded', FETCH_ALLOW: '127.0.0.1' } });
});
afterAll(async () => {
  await app.dispose();
  await model[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function answerOf({ name, prompt }: Call, { recorded, spoil, isLying }: NonNullable<typeof current>): unknown {
  if (name === 'interpret') return interpretation(recorded, spoil);
  if (name === 'choose-markets') return choice(recorded, prompt);
  if (name === 'analyze') return analysis(recorded, prompt, spoil, isLying);
  return name === 'synthesize' ? conclusion(recorded, prompt, spoil) : undefined;
}

function interpretation({ understood, remembered }: RecordedIdea, spoil: Spoil): unknown {
  const texts = { language: 'en', not_asked_for: [], place: null, price: null, market_type: 'b2c', ...understood };
  return {
    ...texts,
    target_user: spoil(understood.target_user),
    problem_statement: spoil(understood.problem_statement),
    category: spoil(understood.category),
    clarity: { user: 0.8, problem: 0.5, solution: 0.8 },
    known_products: remembered.map(({ name, why }) => ({ name, url: `${site.baseUrl}${pathOf(name)}`, why })),
  };
}

function choice({ market, same = {} }: RecordedIdea, prompt: string): unknown {
  const line = prompt.split('\n').find((one) => market !== null && new RegExp(`^M\\d+ ${market} \\(`).test(one)) ?? '';
  const id = /^M\d+/.exec(line)?.[0];
  const featureOf = (feature: string): string => new RegExp(`(M\\d+\\.\\d+) ${feature}(?:,|$)`).exec(line)?.[1] ?? '';
  return {
    markets: id ? [id] : [],
    certainty: 'sure',
    confidence: 0.9,
    same_features: Object.entries(same).map(([asked, feature]) => ({ asked_for: asked, feature: featureOf(feature) })),
  };
}

const evidenceOf = (prompt: string, name: string): string[] =>
  entriesIn(prompt)
    .filter(({ kind, title, text }) => (kind === 'known company' ? title === name : `${title} ${text}`.includes(name)))
    .map(({ id }) => id);

function analysis({ rivals, noneBecause }: RecordedIdea, prompt: string, spoil: Spoil, isLying: boolean): unknown {
  const named = rivals.map(({ name, description, has = [], established = false }) => ({
    name,
    description: spoil(description),
    established,
    features: has,
    evidence: evidenceOf(prompt, name),
  }));
  const made = {
    name: 'Zentrova Quovex',
    description: 'Zentrova does it all.',
    url: 'https://zentrova.io',
    founded: 2031,
    evidence: ['E1', 'E9001'],
  };
  return {
    competitors: isLying ? [made, ...named] : named,
    none_because: noneBecause ?? null,
    features: [],
    audience: [],
    use_cases: [],
    market_evidence: [],
  };
}

function conclusion({ concluded }: RecordedIdea, prompt: string, spoil: Spoil): unknown {
  const { rationale, against, gap, assumptions, steps, first } = concluded;
  const [title = '', ...rest] = (gap?.[0] ?? '').split('. ');
  return {
    rationale: spoil(rationale),
    reasons_for: [],
    reasons_against: against.map(([text, ...from]) => ({ text: spoil(text), evidence: from.flatMap((name) => evidenceOf(prompt, name)) })),
    gaps: gap ? [{ title, description: spoil(rest.join('. ')), evidence: gap.slice(1).flatMap((name) => evidenceOf(prompt, name)) }] : [],
    assumptions: assumptions.map((text) => ({ text: spoil(text), why_it_matters: '' })),
    next_steps: steps.map((step) => ({ ...step, how: spoil(step.how), assumption: 1, evidence: [] })),
    first_version: first.map((id) => ({ feature_id: id, label: '', reason: '', evidence: [] })),
    later: [],
  };
}

async function researched(recorded: RecordedIdea, spoil: Spoil = (text) => text) {
  const isLying = spoil('') !== '';
  current = { recorded, spoil, isLying };
  const before = model.calls.length;
  const user = await app.user();
  const started = await user.call('POST', '/research', { idea: recorded.idea });
  const id = String(started.body['job_id']);
  const lines = await readNdjson(`${app.url}/research/${id}/events`, user.token);
  const artifact = lines.find(({ event }) => event === 'result')?.data as ResearchArtifact | undefined;
  const interpretation = (await user.call('GET', `/research/${id}/interpretation`)).text;
  if (!artifact) throw new Error(JSON.stringify(lines.at(-2)));
  return { artifact, interpretation, lines, calls: model.calls.slice(before) };
}

const honest = new Map<RecordedIdea, ReturnType<typeof researched>>();
/** Each idea is researched once for all that is asked of its report. */
function reported(recorded: RecordedIdea): ReturnType<typeof researched> {
  const known = honest.get(recorded) ?? researched(recorded);
  honest.set(recorded, known);
  return known;
}

/** What a model said of an idea, in the places where a report shows it. */
function saidIn({ artifact }: { artifact: ResearchArtifact }) {
  const rivals = [...artifact.incumbents, ...artifact.emerging];
  return {
    rivals: rivals.map(({ name, description }) => ({ name, description })).toSorted((left, right) => left.name.localeCompare(right.name)),
    rationale: artifact.recommendation.rationale,
    against: artifact.recommendation.reasons_against.map(({ text }) => text),
    gaps: artifact.whitespaces.map(({ title, description }) => `${title}. ${description}`),
    assumptions: artifact.assumptions.map(({ text }) => text),
    steps: artifact.next_steps.map(({ title, how, success_signal }) => ({ title, how, success_signal })),
    first: artifact.build_readiness.phase_1.length,
  };
}

const recordedIn = ({ rivals, concluded }: RecordedIdea): ReturnType<typeof saidIn> => ({
  rivals: rivals.map(({ name, description }) => ({ name, description })).toSorted((left, right) => left.name.localeCompare(right.name)),
  rationale: concluded.rationale,
  against: concluded.against.map(([text]) => text),
  gaps: concluded.gap ? [concluded.gap[0]] : [],
  assumptions: concluded.assumptions,
  steps: concluded.steps,
  first: concluded.first.length,
});

const isShown = ({ name, page }: RecordedIdea['remembered'][number]): boolean =>
  page !== null && ` ${page.title} ${page.text} `.includes(name) && !/for sale|nginx/.test(page.title);

describe.each(RECORDED_IDEAS.map((recorded) => [recorded.understood.short_title, recorded] as const))('%s', (_title, recorded) => {
  it('is reported as the model said it, as far as the evidence bears it out', async () => {
    const found = await reported(recorded);
    const { artifact } = found;
    expect(saidIn(found)).toEqual(recordedIn(recorded));
    expect(artifact.quality).toMatchObject({ fabricated_citations: 0, unsupported_dropped: 0 });
    expect(artifact.idea).toMatchObject({
      normalized_idea: recorded.understood.normalized_idea,
      target_user: recorded.understood.target_user,
      proposed_solution: recorded.understood.proposed_solution,
    });
    expect(artifact.short_title).toBe(recorded.understood.short_title);
    expect(artifact.classification.category).toBe(recorded.market ?? recorded.understood.category);
    const asked = artifact.features.filter(({ asked_for: isAsked }) => isAsked);
    expect(asked).toHaveLength(recorded.understood.asked_for.length);
    for (const { name, has = [] } of recorded.rivals) {
      const rival = [...artifact.incumbents, ...artifact.emerging].find((one) => one.name === name);
      expect(rival?.features.length, name).toBeGreaterThanOrEqual(has.length);
    }
  });

  it('shows what the model remembers apart, and only pages that name their product as evidence', async () => {
    const { artifact, interpretation } = await reported(recorded);
    const { from_memory: memory = [], ...rest } = artifact;
    const isOfMarket = ({ name }: { name: string }): boolean => name === 'Splitwise';
    expect(memory.map(({ name }) => name)).toEqual(recorded.remembered.filter((one) => !isShown(one) && !isOfMarket(one)).map(({ name }) => name));
    for (const { name, search_url: search } of memory) {
      expect(search).toContain(encodeURIComponent(name));
      expect(new URL(search).protocol).toBe('https:');
      expect(JSON.stringify(rest)).not.toContain(name);
      expect(interpretation).not.toContain(name);
    }
    const pages = artifact.evidence.filter(({ source_kind: kind }) => kind === 'web').map(({ source_url: url }) => url);
    expect(pages.toSorted()).toEqual(
      recorded.remembered
        .filter(isShown)
        .map(({ name }) => `${site.baseUrl}${pathOf(name)}`)
        .toSorted(),
    );
    if (recorded.market === null) expect(artifact.evidence.filter(({ source_kind: kind }) => kind !== 'web')).toEqual([]);
  });

  it('takes at most four calls, few words of which are said twice, and shares what can be shared', async () => {
    const { calls } = await reported(recorded);
    expect(calls.length).toBeLessThanOrEqual(4);
    for (const { name, system, prompt } of calls) {
      expect(repeatedShare(`${system}\n${prompt}`), name).toBeLessThanOrEqual(0.05);
      expect((system.length + prompt.length) / 4, name).toBeLessThan(6000);
    }
    const [analyze, synthesize] = ['analyze', 'synthesize'].map((wanted) => calls.find(({ name }) => name === wanted)?.prompt);
    if (analyze) expect(synthesize?.startsWith(analyze.slice(0, analyze.indexOf('Task: ')))).toBe(true);
  });

  it('loses nothing true to what is made up beside it, and lets nothing of that through', async () => {
    let lies = 0;
    const lie = ['Zentrova Quovex does it too.', 'See zentrova.io for more.', 'Nobody beats Zentrova.', 'It began at Quovexlabs.'];
    const found = await researched(recorded, (text) => `${text} ${lie[(lies += 1) % lie.length] ?? ''}`.trim());
    const { from_memory: _memory, ...rest } = found.artifact;
    expect(JSON.stringify([rest, found.interpretation, found.lines])).not.toMatch(/zentrova|quovex/i);
    expect(saidIn(found)).toEqual(recordedIn(recorded));
    expect(rest.quality.fabricated_citations).toBeGreaterThan(0);
  });
});

it('knows a text that says things twice', () => {
  const sentence = 'one two three four five six seven eight nine ten.';
  expect(repeatedShare(`${sentence} ${sentence}`)).toBe(0.5);
  expect(repeatedShare(sentence)).toBe(0);
});
