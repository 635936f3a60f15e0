import { describe, expect, it } from 'vitest';
import { editDistance, lettersOf, mayBeWithin } from './edits.ts';

describe('edits between two words', () => {
  it.each([
    ['garden', 'garden', 0],
    ['garedn', 'garden', 1],
    ['gardn', 'garden', 1],
    ['gardenn', 'garden', 1],
    ['gorden', 'garden', 1],
    ['recipies', 'recipes', 1],
    ['invioce', 'invoice', 1],
    ['bycicle', 'bicycle', 2],
    ['ca', 'abc', 3],
    ['aaaa', 'aaa', 1],
    ['', 'ab', 2],
    ['house', 'garden', 3],
  ])('%s and %s: %i, or more than two', (left, right, edits) => {
    expect(editDistance(left, right, 2)).toBe(edits);
    expect(editDistance(right, left, 2)).toBe(edits);
    if (edits <= 2) expect(mayBeWithin(edits, lettersOf(left), lettersOf(right))).toBe(true);
  });

  it('are not looked for where the letters differ too much', () => {
    expect(mayBeWithin(1, lettersOf('house'), lettersOf('garden'))).toBe(false);
  });
});
