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

  it('sets the idea apart only from products that lack what it claims', () => {
    const { statement } = writeByRule('positioning', about());
    expect(statement?.text).toContain('“Route planning”');
    expect(statement?.text).toContain('only Acme has');
    expect(statement?.text).not.toContain('Acme, the nearest without it');
  });

  it('claims nothing that is rare but not asked for', () => {
    const { pillars } = writeByRule('positioning', about());
    expect(pillars.map(({ text }) => text).join(' ')).not.toContain('Deposits');
  });

  it('says when nothing is a reason to leave a product', () => {
    const onlyAsked = { ...artifact, whitespaces: artifact.whitespaces.slice(0, 1) };
    const [acme, plain] = writeByRule('incumbents', about(0, onlyAsked));
    expect(acme?.meaning?.text).toContain('nothing that was found is a reason');
    expect(plain?.meaning?.text).toContain('“Route planning”');
  });

  it('says that it cannot tell how near products come when nothing the idea asks for was recognised', () => {
    const vague = { ...artifact, features: artifact.features.map((feature) => ({ ...feature, asked_for: false })), whitespaces: [] };
    const { summary, segments } = writeByRule('market_map', about(0, vague));
    expect(summary.map(({ text }) => text).join(' ')).toContain('cannot be told');
    expect(segments.map(({ closeness }) => closeness)).not.toContain('does_most');
    const rivals = writeByRule('incumbents', about(0, vague)).flatMap(({ meaning }) => meaning?.text ?? '');
    const lines = writeByRule('positioning', about(0, vague)).against.flatMap(({ line }) => line?.text ?? '');
    for (const text of [...rivals, ...lines]) {
      expect(text).toContain('not recognised');
      expect(text).not.toMatch(/\d+ %/);
    }
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
    expect(shared.length).toBeLessThan(mine.size / 3);
  });

  it('writes empty lists and no claims when nothing is known', () => {
    const nothing = marketArtifact({ incumbents: [], emerging: [], features: [], whitespaces: [], evidence: [], evidence_against: [] });
    expect(writeByRule('incumbents', about(0, nothing))).toEqual([]);
    expect(writeByRule('positioning', about(0, nothing)).statement).toBeNull();
    expect(writeByRule('market_map', about(0, nothing)).summary).toEqual([]);
  });
});
