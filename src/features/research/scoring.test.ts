import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Analysis, Finding, Interpretation } from './analyst.ts';
import type { Competitor, MarketFeature, ScorePart } from './schema.ts';
import { coverageInWords, coverageOf, coveredShare } from '#lib/coverage.ts';
import { scoreIdea, WEIGHTS, type Score } from './scoring.ts';

type Rival = [pricing: string, funding: string | null, founded: number | null, standing: 'incumbent' | 'emerging', features: string[]];
type Example = {
  features: string[];
  asked: string[];
  market: Rival[];
  clarity: Interpretation['clarity'];
  web: number;
  expected?: Record<string, number | string>;
};

const id = (number: number): string => `00000000-0000-5000-8000-${String(number).padStart(12, '0')}`;

function rivalOf([pricing, funding, founded, standing, features]: Rival, place: number): Competitor {
  return {
    id: `rival-${place}`,
    name: `Rival ${place}`,
    description: '',
    url: null,
    funding,
    is_incumbent: standing === 'incumbent',
    founded,
    pricing,
    features,
    overlap: 0,
    evidence_ids: [id(place)],
  };
}

const featureOf = (name: string, asked: readonly string[], rivals: readonly Competitor[]): MarketFeature => {
  const heldBy = rivals.filter((rival) => rival.features.includes(name)).map((rival) => rival.id);
  const frequency = heldBy.length / Math.max(1, rivals.length);
  return { id: name, name, description: '', tier: 'common', frequency, held_by: heldBy, asked_for: asked.includes(name), evidence_ids: [id(900)] };
};

const findingOf = (kind: Finding['kind'], number: number): Finding => ({
  id: id(number),
  kind,
  url: null,
  title: `Finding ${number}`,
  snippet: '',
  text: '',
  confidence: 0.5,
  freshness: 0.5,
  fetchedAt: '2026-01-01T00:00:00.000Z',
  facts: null,
});

/** A feature of the market, which may be recorded of companies. */
const knownFeature = (name: string, number: number): Finding => ({
  ...findingOf('canonical_feature', number),
  facts: { kind: 'feature', featureId: name, categoryId: 'a-market', name, description: '', certainty: 1, heldBy: [] },
});

const aboutWith = (clarity: Interpretation['clarity']): Interpretation => ({
  language: 'en',
  normalizedIdea: 'An idea.',
  productName: null,
  shortTitle: 'An Idea',
  oneLineSummary: 'An idea',
  targetUser: 'people',
  problemStatement: 'it hurts',
  proposedSolution: 'it helps',
  category: 'A market',
  subcategory: '',
  marketType: 'b2c',
  categoryIds: ['a-market'],
  confidence: 1,
  clarity,
  askedFor: [],
  queries: [],
});

function scoreOf({ features, asked, market, clarity, web }: Example): Score {
  const rivals = market.map(rivalOf);
  const analysis: Analysis = {
    incumbents: rivals.filter((rival) => rival.is_incumbent),
    emerging: rivals.filter((rival) => !rival.is_incumbent),
    features: [...new Set([...features, ...asked])].map((name) => featureOf(name, asked, rivals)),
    audience: [],
    useCases: [],
    marketEvidenceIds: [],
  };
  const findings = [
    ...market.map((_, place) => findingOf('canonical_company', place)),
    ...features.map((name, place) => knownFeature(name, 100 + place)),
    ...Array.from({ length: web }, (_, place) => findingOf('web', 200 + place)),
  ];
  return scoreIdea(aboutWith(clarity), analysis, findings);
}

const partOf = ({ parts }: Score, key: ScorePart['key']): number => parts.find((part) => part.key === key)?.score ?? Number.NaN;
const numbersOf = (score: Score): Record<string, number | string> => ({
  ...Object.fromEntries(score.parts.map((part) => [part.key, part.score])),
  total: score.score ?? 'none',
  verdict: score.verdict,
});

/** Mulberry32: the same numbers on every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const PRICINGS = ['free', 'freemium', 'subscription', 'open_source', 'quote'];
const FUNDINGS = [null, 'Venture-backed', 'Bootstrapped', 'Owned by another'];

function randomExample(next: () => number): Example {
  const pick = <T>(list: readonly T[], share: number): T[] => list.filter(() => next() < share);
  const one = <T>(list: readonly T[], otherwise: T): T => list[Math.floor(next() * list.length)] ?? otherwise;
  const rival = (): Rival => [
    one(PRICINGS, 'free'),
    one(FUNDINGS, null),
    2000 + Math.floor(next() * 25),
    next() < 0.7 ? 'incumbent' : 'emerging',
    pick(NAMES, 0.4),
  ];
  return {
    features: NAMES,
    asked: pick(NAMES, 0.4),
    market: Array.from({ length: 1 + Math.floor(next() * 12) }, rival),
    clarity: { user: next(), problem: next(), solution: next() },
    web: Math.floor(next() * 12),
  };
}

const examples = Array.from({ length: 300 }, (_, seed) => randomExample(randomFrom(seed)));

describe('what a rival covers of an idea', () => {
  const rivals = [rivalOf(['subscription', null, 2010, 'incumbent', ['a']], 0)];
  const features = ['a', 'b', 'c'].map((name) => featureOf(name, ['a', 'b', 'c'], rivals));

  it('is what it is known to have of everything asked for; the rest is missing only where that is known', () => {
    const [a, b, c] = features;
    const known = [...(a ? [a] : []), ...(b ? [{ ...b, lacked_by: ['rival-0'] }] : []), ...(c ? [c] : [])];
    const covered = coverageOf({ id: 'rival-0' }, known);
    expect(covered).toEqual({ asked: 3, has: 1, lacks: 1 });
    expect(coveredShare(covered)).toBe(0.33);
    expect(coverageInWords(covered)).toBe('1 of the 3 things you ask for; 1 missing, 1 not recorded');
    expect(coverageInWords(coverageOf({ id: 'rival-0' }, []))).toBe('');
  });
});

describe('the worked examples of docs/scoring.md', () => {
  const text = readFileSync(new URL('../../../docs/scoring.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/### ([^\n]+)\n(?:(?!###)[\s\S])*?```json\n([\s\S]*?)```/g)].map((match) => ({
    title: match[1] ?? '',
    example: JSON.parse(match[2] ?? '{}') as Example,
  }));

  it('are three', () => expect(blocks).toHaveLength(3));
  it.each(blocks)('$title', ({ example }) => {
    expect(numbersOf(scoreOf(example))).toEqual(example.expected);
  });
  it('states the weights in force', () => {
    for (const [key, weight] of Object.entries(WEIGHTS)) expect(text).toMatch(new RegExp(`\\| ${key} +\\| ${weight} +\\|`));
  });
});

describe('the rubric', () => {
  it('has weights that sum to one', () => {
    expect(Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 10);
  });

  it('stays between 0 and 100 and adds up', () => {
    for (const example of examples) {
      const score = scoreOf(example);
      expect(score.parts.every((part) => part.score >= 0 && part.score <= 100)).toBe(true);
      if (score.score !== null) expect(score.score).toBe(Math.round(score.parts.reduce((sum, part) => sum + part.score * part.weight, 0)));
    }
  });

  it('never raises crowding or differentiation with a further rival that has what another has', () => {
    for (const [seed, example] of examples.entries()) {
      const twin = example.market[seed % example.market.length];
      if (!twin) continue;
      const [before, after] = [scoreOf(example), scoreOf({ ...example, market: [...example.market, twin] })];
      expect(partOf(after, 'crowding')).toBeLessThanOrEqual(partOf(before, 'crowding'));
      expect(partOf(after, 'differentiation')).toBeLessThanOrEqual(partOf(before, 'differentiation'));
    }
  });

  it('never raises differentiation with a further rival of any kind', () => {
    for (const example of examples) {
      const rival: Rival = ['freemium', null, 2020, 'emerging', example.asked.slice(0, 2)];
      const [before, after] = [scoreOf(example), scoreOf({ ...example, market: [...example.market, rival] })];
      expect(partOf(after, 'differentiation')).toBeLessThanOrEqual(partOf(before, 'differentiation'));
    }
  });

  it('counts everybody who is known to have what is asked for, shown as a rival or not', () => {
    const rivals = [rivalOf(['subscription', null, 2010, 'incumbent', []], 0)];
    const analysis: Analysis = {
      incumbents: rivals,
      emerging: [],
      features: [featureOf('a', ['a'], rivals)],
      audience: [],
      useCases: [],
      marketEvidenceIds: [],
    };
    const withHolders = (heldBy: string[]): number => {
      const facts = { kind: 'feature', featureId: 'a', categoryId: 'a-market', name: 'a', description: '', certainty: 1, heldBy } as const;
      return partOf(
        scoreIdea(aboutWith({ user: 1, problem: 1, solution: 1 }), analysis, [{ ...findingOf('canonical_feature', 900), facts }]),
        'differentiation',
      );
    };
    expect(withHolders(['x', 'y', 'z', 'u', 'v'])).toBeLessThan(withHolders(['x', 'y']));
    expect(withHolders(['x', 'y'])).toBeLessThan(withHolders([]));
  });

  it('never lowers evidence when more is found', () => {
    for (const example of examples) {
      const more = scoreOf({ ...example, web: example.web + 1 });
      expect(partOf(more, 'evidence')).toBeGreaterThanOrEqual(partOf(scoreOf(example), 'evidence'));
    }
  });

  it('gives no differentiation to an idea that asks for nothing of its own', () => {
    for (const example of examples) expect(partOf(scoreOf({ ...example, asked: [] }), 'differentiation')).toBe(0);
  });

  it('never advises to pursue or test a vague wish', () => {
    for (const example of examples) {
      const { verdict } = scoreOf({ ...example, clarity: { user: 0.2, problem: 0.2, solution: 0.2 } });
      expect(['refine', 'insufficient_data']).toContain(verdict);
    }
  });

  it('says that it cannot say with fewer than three rivals', () => {
    for (const example of examples) {
      expect(scoreOf({ ...example, market: example.market.slice(0, 2), web: 12 })).toMatchObject({ score: null, verdict: 'insufficient_data' });
    }
  });

  it('scores nothing where no market is sure, or half of what is asked for is recorded of nobody', () => {
    const example: Example = {
      features: ['a'],
      asked: ['a', 'in words of its own'],
      market: Array.from({ length: 6 }, (): Rival => ['subscription', null, 2018, 'emerging', ['a']]),
      clarity: { user: 1, problem: 1, solution: 1 },
      web: 8,
    };
    expect(scoreOf(example)).toMatchObject({ score: null, verdict: 'insufficient_data' });
    expect(scoreOf({ ...example, asked: ['a'] }).score).toBeGreaterThan(0);
    const unsure: Interpretation = { ...aboutWith(example.clarity), categoryIds: [], certainty: 'unsure' };
    expect(scoreIdea(unsure, { incumbents: [], emerging: [], features: [], audience: [], useCases: [], marketEvidenceIds: [] }, [])).toEqual({
      score: null,
      verdict: 'insufficient_data',
      parts: [],
    });
  });
});
