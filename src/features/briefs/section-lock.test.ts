import { describe, expect, it } from 'vitest';
import { newId } from '#lib/ids.ts';
import { marketArtifact } from '#testing/market-artifact.ts';
import { writeByRule } from './rule-writer/rule-writer.ts';
import { lockFor } from './section-lock.ts';

const artifact = marketArtifact();
const lock = lockFor(artifact);
const [source = ''] = artifact.evidence.map(({ id }) => id);
const cited = (text: string, ids = [source]) => [{ text, evidence_ids: ids }];

describe('the lock of sections', () => {
  it('keeps what the research established', () => {
    const statement = cited('Acme has “Route planning”; 1 of 3 products costs nothing.');
    expect(lock(statement)).toEqual({ value: statement, dropped: 0 });
  });

  it.each([
    ['a product that nobody found', 'Zentrova dominates this market.'],
    ['a number that nobody counted', 'Acme has 48123 customers.'],
    ['an address that is no source', 'See https://www.zentrova.com for Acme.'],
  ])('drops a statement with %s', (_what, text) => {
    expect(lock(cited(text))).toEqual({ value: [], dropped: 1 });
  });

  it('drops a statement without evidence, and counts ids that do not exist', () => {
    expect(lock(cited('Acme has “Route planning”.', []))).toEqual({ value: [], dropped: 1 });
    expect(lock(cited('Acme has “Route planning”.', [newId(), source]))).toEqual({ value: cited('Acme has “Route planning”.'), dropped: 1 });
  });

  it('keeps the sound sentence of two', () => {
    expect(lock(cited('Acme has “Route planning”. Zentrova is better.')).value).toEqual(cited('Acme has “Route planning”.'));
  });

  it('leaves null where the only statement of a place goes, and drops entries without evidence', () => {
    const angle = writeByRule('mvp_angle', { artifact, audience: null, template: null, take: 0 });
    expect(lock({ ...angle, wedge: { text: 'Zentrova is the measure.', evidence_ids: [source] } }).value.wedge).toBeNull();
    const rivals = writeByRule('incumbents', { artifact, audience: null, template: null, take: 0 });
    expect(lock(rivals.map((rival, place) => (place === 0 ? { ...rival, evidence_ids: [newId()] } : rival))).value).toHaveLength(rivals.length - 1);
  });
});
