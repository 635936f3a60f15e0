import { describe, expect, it } from 'vitest';
import type { Finding } from '../analyst.ts';
import { sameFeatures } from './market-features.ts';

const finding = (featureId: string, name: string): Finding =>
  ({ facts: { kind: 'feature', featureId, categoryId: 'any', name, description: name, certainty: 0, heldBy: [] } }) as unknown as Finding;

describe('features of two markets', () => {
  it('are one when their names are the same words', () => {
    const ids = sameFeatures([finding('duties', 'Duties and carpool'), finding('lifts', 'Duties and carpools'), finding('fees', 'Fees')]);
    expect([...ids]).toEqual([
      ['duties', 'duties'],
      ['lifts', 'duties'],
      ['fees', 'fees'],
    ]);
  });
});
