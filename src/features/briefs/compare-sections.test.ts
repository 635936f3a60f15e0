import { describe, expect, it } from 'vitest';
import { marketArtifact } from '#testing/market-artifact.ts';
import { compareSections } from './compare-sections.ts';
import { writeByRule } from './rule-writer/rule-writer.ts';

const about = { artifact: marketArtifact(), audience: null, template: null, take: 0 };
const incumbents = writeByRule('incumbents', about);
const [acme, plain] = incumbents;

describe('the comparison of two revisions', () => {
  it('finds nothing between the same sections, nor in another order of entries or fields', () => {
    const turned = incumbents.map((rival) => Object.fromEntries(Object.entries(rival).reverse())).reverse();
    expect(compareSections({ incumbents }, { incumbents })).toEqual([]);
    expect(compareSections({ incumbents }, { incumbents: turned as typeof incumbents })).toEqual([]);
  });

  it('names what came, what went and what changed, and counts words', () => {
    if (!acme || !plain) throw new Error('the sample has two incumbents');
    const changed = { ...acme, strengths: [{ text: 'Acme is quick.', evidence_ids: acme.evidence_ids }] };
    const [change] = compareSections({ incumbents: [acme, plain] }, { incumbents: [changed, { ...plain, id: 'other', name: 'Other' }] });
    expect(change).toMatchObject({
      section_type: 'incumbents',
      change: 'modified',
      details: { items_added: ['Other'], items_removed: ['Plain'], items_changed: ['Acme'] },
    });
    expect(change?.details.words_added).toBeGreaterThan(1);
    expect(change?.details.words_removed).toBeGreaterThan(5);
  });

  it('tells added from removed sections', () => {
    expect(compareSections({}, { incumbents }).map(({ change }) => change)).toEqual(['added']);
    expect(compareSections({ incumbents }, {}).map(({ change, details }) => [change, details.items_removed])).toEqual([
      ['removed', ['Acme', 'Plain']],
    ]);
  });

  it('names statements and fields of sections that are no lists', () => {
    const before = writeByRule('mvp_angle', about);
    const after = writeByRule('mvp_angle', { ...about, take: 1 });
    const [change] = compareSections({ mvp_angle: before }, { mvp_angle: after });
    expect(change?.details.items_changed).toEqual(['wedge', 'first_test']);
  });
});
