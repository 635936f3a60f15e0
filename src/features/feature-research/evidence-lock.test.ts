import { describe, expect, it } from 'vitest';
import type { Counsel, EvidenceSource } from './analyst.ts';
import { lockAnalysis, lockCounsel } from './evidence-lock.ts';
import type { FeatureAnalysis } from './schema.ts';

const source = (id: string, more: Partial<EvidenceSource> = {}): EvidenceSource => ({
  id,
  url: `https://${id}.example`,
  title: id,
  kind: 'web',
  snippet: '',
  confidence: 0.5,
  text: 'Acme reads receipts.',
  topicId: null,
  companyId: null,
  ...more,
});
const sources = [source('s1'), source('oss', { kind: 'open_source', url: 'https://github.com/a/b', title: 'B' })];

const analysis: FeatureAnalysis = {
  feature_id: 'f',
  feature_name: 'F',
  depth: 'full',
  summary: 'x',
  implementations: [
    { name: 'Acme', url: '', how: 'reads', source_ids: ['s1', 'invented'] },
    { name: 'Nowhere Inc', url: '', how: 'reads', source_ids: ['s1'] },
    { name: 'Acme', url: '', how: 'reads', source_ids: ['invented'] },
  ],
  common_patterns: [{ text: 'uncited', source_ids: [] }],
  technical_approaches: [],
  edge_cases: [{ text: 'kept', source_ids: ['s1', 's1'] }],
  oss_landscape: [
    { name: 'B', url: 'https://github.com/a/b/', license: 'MIT', use_for: 'x', source_ids: ['oss'] },
    { name: 'C', url: 'https://github.com/made/up', license: 'MIT', use_for: 'x', source_ids: ['oss'] },
  ],
  risks: [],
  depends_on: [],
  analyst: 'model',
};

describe('lockAnalysis', () => {
  const { value, unsupported } = lockAnalysis(analysis, sources);

  it('keeps what rests on a source, with the known ids only and each once', () => {
    expect(value.implementations).toEqual([{ name: 'Acme', url: '', how: 'reads', source_ids: ['s1'] }]);
    expect(value.edge_cases).toEqual([{ text: 'kept', source_ids: ['s1'] }]);
  });

  it('drops and counts what cites nothing, what its source does not write, and projects at another address', () => {
    expect(value.common_patterns).toEqual([]);
    expect(value.oss_landscape.map(({ name }) => name)).toEqual(['B']);
    expect(unsupported).toBe(4);
  });
});

describe('lockCounsel', () => {
  const counsel: Counsel = {
    recommendations: [
      { title: 'a', rationale: 'b', feature_ids: ['f', 'ghost'], source_ids: ['s1'] },
      { title: 'a', rationale: 'b', feature_ids: ['f'], source_ids: [] },
    ],
    strategicSummary: 'x',
    assumptions: [],
    edges: [
      { from: 'p1', to: 'p2', reason: 'x', sourceIds: ['s1', 'invented'] },
      { from: 'p1', to: 'ghost', reason: 'x', sourceIds: [] },
      { from: 'p1', to: 'p1', reason: 'x', sourceIds: [] },
    ],
    risks: [],
    priorities: ['ghost', 'f'],
  };
  const { value, unsupported } = lockCounsel(counsel, sources, ['f'], ['p1', 'p2']);

  it('keeps cited recommendations with features that exist', () => {
    expect(value.recommendations).toEqual([{ title: 'a', rationale: 'b', feature_ids: ['f'], source_ids: ['s1'] }]);
    expect(value.priorities).toEqual(['f']);
    expect(unsupported).toBe(1);
  });

  it('keeps edges between parts that exist', () => {
    expect(value.edges).toEqual([{ from: 'p1', to: 'p2', reason: 'x', sourceIds: ['s1'] }]);
  });
});
