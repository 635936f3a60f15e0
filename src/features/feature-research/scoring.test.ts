import { describe, expect, it } from 'vitest';
import type { EvidenceSource } from './analyst.ts';
import type { FeatureAnalysis } from './schema.ts';
import { scoreFindings, WEIGHTS } from './scoring.ts';

const source = (kind: EvidenceSource['kind'], url: string): EvidenceSource => ({
  id: url,
  url,
  title: url,
  kind,
  snippet: '',
  confidence: 0.5,
  text: '',
  topicId: null,
  companyId: null,
});
const cited = { text: 'x', source_ids: ['a'] };
const full: FeatureAnalysis = {
  feature_id: 'f',
  feature_name: 'F',
  depth: 'full',
  summary: '',
  implementations: ['A', 'B', 'C'].map((name) => ({ name, url: '', how: '', source_ids: ['a'] })),
  common_patterns: [cited],
  technical_approaches: [{ name: 'x', when: '', trade_offs: '', effort_days: { low: 1, high: 2 }, recommended: true, source_ids: ['a'] }],
  edge_cases: [cited],
  oss_landscape: [{ name: 'x', url: '', license: '', use_for: '', source_ids: ['a'] }],
  risks: [],
  depends_on: [],
  analyst: 'rule',
};
const thin: FeatureAnalysis = {
  ...full,
  depth: 'thin',
  implementations: [],
  common_patterns: [],
  technical_approaches: [],
  edge_cases: [],
  oss_landscape: [],
};
const best = {
  features: [],
  analyses: [full],
  unsupported: 0,
  sources: [
    ...Array.from({ length: 12 }, (_, place) => source('web', `https://site${place}.example/page`)),
    source('knowledge', 'knowledge:x'),
    source('open_source', 'https://github.com/a/b'),
    source('canonical_company', 'https://c.example'),
  ],
};
const overall = (scored: typeof best): number => scoreFindings(scored).overall_score;

describe('scoreFindings', () => {
  it('weighs its dimensions to 1 and stays between 0 and 10', () => {
    expect(Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1);
    expect(overall(best)).toBe(10);
    expect(overall({ ...best, analyses: [thin], sources: [] })).toBe(0);
    expect(overall({ ...best, analyses: [], sources: [] })).toBe(0);
  });

  it('is the weighted sum of the dimensions it shows', () => {
    const { overall_score: score, dimensions } = scoreFindings({ ...best, analyses: [full, thin] });
    expect(Object.keys(dimensions)).toEqual(Object.keys(WEIGHTS));
    expect(score).toBeCloseTo(
      Object.values(dimensions).reduce((sum, { score: own, weight }) => sum + own * weight, 0),
      1,
    );
  });

  it('falls with thin features, dropped statements, fewer sources and nothing looked up', () => {
    expect(overall({ ...best, analyses: [full, thin] })).toBeLessThan(10);
    expect(overall({ ...best, unsupported: 20 })).toBeLessThan(10);
    expect(overall({ ...best, sources: best.sources.slice(0, 3) })).toBeLessThan(10);
    expect(overall({ ...best, sources: best.sources.filter(({ kind }) => kind !== 'web') })).toBeLessThan(10);
  });

  it('explains each dimension with what was counted', () => {
    for (const { explanation } of Object.values(scoreFindings(best).dimensions)) expect(explanation).toMatch(/\d|every|nothing/i);
  });
});
