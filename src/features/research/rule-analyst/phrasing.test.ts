import { describe, expect, it } from 'vitest';
import { baseForm, deedOf, featureNames, ofOthers, plainClause } from './phrasing.ts';

describe('baseForm', () => {
  it.each([
    ['learns', 'learn'],
    ['matches', 'match'],
    ['notifies', 'notify'],
    ['tracking', 'track'],
    ['sharing', 'share'],
    ['splitting', 'split'],
    ['has', 'have'],
  ])('%s comes from %s', (form, base) => expect(baseForm(form)).toBe(base));

  it('knows no verb in a noun', () => expect(baseForm('household')).toBeUndefined());
});

describe('deedOf', () => {
  it.each([
    ['learns what we buy', 'learn what they buy', 'learning what they buy'],
    ['automatically sorts my list by aisle', 'automatically sort their list by aisle', 'automatically sorting their list by aisle'],
    ['split restaurant bills by item', 'split restaurant bills by item', 'splitting restaurant bills by item'],
    ['a memory of each giver', 'offer a memory of each giver', 'a memory of each giver'],
  ])('says %j in the form a sentence needs', (clause, toDo, doing) => expect(deedOf(clause)).toMatchObject({ toDo, doing }));

  it('takes a word before "to" or "of" for a noun', () => {
    expect(deedOf('place to write it')).toMatchObject({ isDeed: false, doing: '“place to write it”' });
    expect(deedOf('notes to mum').isDeed).toBe(false);
  });

  it('quotes what is not English', () => expect(deedOf('aprende lo que compramos', 'es')).toMatchObject({ doing: '“aprende lo que compramos”' }));
});

describe('clauses and names', () => {
  it('turns the writer into others', () => expect(ofOthers("I'm tired of losing our lists")).toBe('they are tired of losing their lists'));

  it('drops an aside from a long clause and keeps what is known', () => {
    expect(plainClause('sort the shopping list by aisle of our own supermarket while we walk through it with a trolley')).toBe(
      'sort the shopping list by aisle of our own supermarket',
    );
    const known = 'neither of us ever remembers when she last fed or on which side she was lying then';
    expect(plainClause(known)).toBe(known);
  });

  it('quotes names only where a list of them could be misread', () => {
    expect(featureNames([{ name: 'Prices and totals' }])).toEqual([{ name: 'prices and totals' }]);
    expect(featureNames([{ name: 'Prices and totals' }, { name: 'Voice assistant' }])).toEqual([
      { name: '“prices and totals”' },
      { name: '“voice assistant”' },
    ]);
  });
});
