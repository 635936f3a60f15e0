import { describe, expect, it } from 'vitest';
import { fill } from './fill.ts';
import { nounOf, plural, singular, withArticle } from './words.ts';

describe('nouns in both numbers', () => {
  it.each([
    ['grocery lists', 'grocery list', 'grocery lists'],
    ['person', 'person', 'people'],
    ['companies', 'company', 'companies'],
    ['boxes', 'box', 'boxes'],
    ['analysis', 'analysis', 'analyses'],
    ['database apis', 'database api', 'database apis'],
    ['equipment', 'piece of equipment', 'pieces of equipment'],
    ['kitchen staff', 'kitchen staff member', 'kitchen staff members'],
    ['calories', 'calorie', 'calories'],
    ['houseplant owners', 'houseplant owner', 'houseplant owners'],
  ])('%s', (phrase, one, many) => {
    expect(nounOf(phrase)).toEqual({ one, many });
  });

  it('comes back to the same word', () => {
    for (const word of ['list', 'receipt', 'diary', 'shelf', 'church', 'invoice', 'child', 'dish', 'quiz']) expect(singular(plural(word))).toBe(word);
  });

  it('chooses the article by sound', () => {
    expect([withArticle('invoice'), withArticle('unit'), withArticle('hour'), withArticle('recipe')]).toEqual([
      'an invoice',
      'a unit',
      'an hour',
      'a recipe',
    ]);
  });
});

describe('filling the places of a text', () => {
  const slots = { user: nounOf('roommates'), object: nounOf('grocery list'), thing: nounOf('expiry date') };

  it('begins with a capital and keeps unknown places', () => {
    expect(fill('{things} of {a_user}, {an_object} and {other}', slots)).toBe('Expiry dates of a roommate, a grocery list and {other}');
    expect(fill('{Things} without a network', slots)).toBe('Expiry dates without a network');
  });
});
