import { describe, expect, it } from 'vitest';
import { marketArtifact } from '#testing/market-artifact.ts';
import { SECTION_SHAPES } from '../section-content.ts';
import { lockFor } from '../section-lock.ts';
import { SECTION_TYPES } from '../states.ts';
import { statementsIn } from '../statements.ts';
import { writeByRule } from './rule-writer.ts';

const artifact = marketArtifact();
const about = (take = 0, of = artifact) => ({ artifact: of, audience: null, template: null, take });

describe('a section written by rule', () => {
  it.each(SECTION_TYPES)('%s has its shape, and every statement of it passes the lock, at any take', (section) => {
    const lock = lockFor(artifact);
    for (const take of [0, 1, 2, 3]) {
      const content = writeByRule(section, about(take));
      expect(() => SECTION_SHAPES[section].parse(content)).not.toThrow();
      expect(lock(content)).toEqual({ value: content, dropped: 0 });
      for (const { evidence_ids: ids } of statementsIn(content)) expect(ids.length).toBeGreaterThan(0);
    }
  });

  it('sets the idea apart by what it asks for and few have', () => {
    expect(writeByRule('positioning', about()).statement?.text).toBe('Of 3 known products only Acme is recorded with: Route planning.');
  });

  it('claims nothing that is rare but not asked for', () => {
    const { pillars } = writeByRule('positioning', about());
    expect(pillars.map(({ text }) => text).join(' ')).not.toContain('Deposits');
  });

  it('says of each product what it is recorded with of what is asked for', () => {
    const [acme, plain] = writeByRule('incumbents', about());
    expect(acme?.strengths[0]?.text).toBe('Has what is asked for: Route planning.');
    expect(plain?.weaknesses[0]?.text).toBe('Not recorded with: Route planning.');
  });

  it('says nothing of how near products come when nothing the idea asks for was recognised', () => {
    const vague = { ...artifact, features: artifact.features.map((feature) => ({ ...feature, asked_for: false })), whitespaces: [] };
    const { summary, segments } = writeByRule('market_map', about(0, vague));
    expect(segments.map(({ closeness }) => closeness)).not.toContain('does_most');
    expect(writeByRule('incumbents', about(0, vague)).map(({ meaning }) => meaning)).toEqual([null, null]);
    expect(writeByRule('positioning', about(0, vague)).against.map(({ line }) => line)).toEqual([null, null, null]);
    expect(summary.map(({ text }) => text).join(' ')).not.toMatch(/\d+ %/);
  });

  it('puts neither the name of the idea nor whom it is for into its sentences', () => {
    const texts = SECTION_TYPES.flatMap((section) => statementsIn(writeByRule(section, about())).map(({ text }) => text));
    expect(texts.filter((text) => text.includes('Groomer Booking'))).toEqual([]);
  });

  it('sorts features by what the idea should do about them', () => {
    const features = writeByRule('features', about());
    expect(features.map(({ id, priority }) => [id, priority])).toEqual([
      ['route-planning', 'differentiate'],
      ['deposits', 'option'],
      ['booking', 'later'],
    ]);
  });

  it('puts products by how near they come', () => {
    const { segments, counts } = writeByRule('market_map', about());
    expect(segments.map(({ closeness, rivals }) => [closeness, rivals.map(({ id }) => id)])).toEqual([
      ['does_most', ['acme']],
      ['does_part', ['plain']],
      ['neighbour', ['newco']],
    ]);
    expect(counts).toEqual({ products: 3, incumbents: 2, emerging: 1, paid: 2, free: 1, features: 3 });
  });

  it('is the same for the same take and another for the next', () => {
    for (const section of ['positioning', 'mvp_angle', 'market_gaps'] as const) {
      expect(writeByRule(section, about(1))).toEqual(writeByRule(section, about(1)));
      expect(writeByRule(section, about(1))).not.toEqual(writeByRule(section, about(0)));
    }
  });

  it('says something else of another market', () => {
    const other = marketArtifact({ short_title: 'Ledger', product_category: 'Bookkeeping', incumbents: artifact.emerging, emerging: [] });
    const texts = (of: typeof artifact) =>
      SECTION_TYPES.flatMap((section) => statementsIn(writeByRule(section, about(0, of))).map(({ text }) => text));
    const mine = new Set(texts(artifact));
    const shared = texts({ ...other, whitespaces: [], recommendation: { ...other.recommendation, reasons_for: [] } }).filter((text) =>
      mine.has(text),
    );
    expect(shared.length).toBeLessThan(mine.size / 2);
  });

  it('writes empty lists and no claims when nothing is known', () => {
    const nothing = marketArtifact({ incumbents: [], emerging: [], features: [], whitespaces: [], evidence: [], evidence_against: [] });
    expect(writeByRule('incumbents', about(0, nothing))).toEqual([]);
    expect(writeByRule('positioning', about(0, nothing)).statement).toBeNull();
    expect(writeByRule('market_map', about(0, nothing)).summary).toEqual([]);
  });
});
