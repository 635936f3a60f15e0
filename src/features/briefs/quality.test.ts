import { describe, expect, it } from 'vitest';
import { marketArtifact } from '#testing/market-artifact.ts';
import { overallQuality, qualityOf, WEIGHTS } from './quality.ts';
import { writeByRule } from './rule-writer/rule-writer.ts';
import { SECTION_TYPES } from './states.ts';

const artifact = marketArtifact();
const about = { artifact, audience: null, template: null, take: 0 };
const [source = ''] = artifact.evidence.map(({ id }) => id);
const positioning = writeByRule('positioning', about);

describe('the quality of a section', () => {
  it('lies between 0 and 100 and is 0 for one that says nothing', () => {
    for (const section of SECTION_TYPES) {
      const { score } = qualityOf(section, writeByRule(section, about) as never, artifact);
      expect(score).toBeGreaterThan(30);
      expect(score).toBeLessThanOrEqual(100);
    }
    expect(qualityOf('incumbents', [], artifact)).toEqual({ score: 0, parts: { coverage: 0, evidence: 0, specificity: 0 } });
  });

  it('falls in coverage when parts are missing', () => {
    const whole = qualityOf('positioning', positioning, artifact).parts.coverage;
    const half = qualityOf('positioning', { ...positioning, pillars: [], statement: null }, artifact).parts.coverage;
    expect(half).toBeLessThan(whole - 0.4);
  });

  it('falls in evidence with fewer or less certain sources', () => {
    const unsure = { ...artifact, evidence: artifact.evidence.map((row) => ({ ...row, confidence: 0.5 })) };
    expect(qualityOf('positioning', positioning, unsure).parts.evidence).toBeLessThan(qualityOf('positioning', positioning, artifact).parts.evidence);
    const thin = { ...positioning, pillars: [], objections: [], against: [], statement: { text: 'Acme has it.', evidence_ids: [source] } };
    expect(qualityOf('positioning', thin, artifact).parts.evidence).toBe(0.17);
  });

  it('falls in specificity with sentences that fit any idea', () => {
    const vague = { text: 'Users love simple products.', evidence_ids: [source] };
    const named = { text: 'Acme leaves room.', evidence_ids: [source] };
    const section = { ...positioning, statement: vague, pillars: [named], against: [], objections: [] };
    expect(qualityOf('positioning', section, artifact).parts.specificity).toBe(0.5);
  });
});

describe('the quality of a brief', () => {
  it('weighs its sections, and what failed counts nothing', () => {
    const all = Object.fromEntries(SECTION_TYPES.map((section) => [section, 80]));
    expect(Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1);
    expect(overallQuality(all)).toBe(80);
    expect(overallQuality({ ...all, market_map: 0 })).toBe(64);
    expect(overallQuality({})).toBe(0);
  });
});
