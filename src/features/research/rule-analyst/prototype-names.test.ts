import { describe, expect, it } from 'vitest';
import { cleanSentences } from './clean-text.ts';
import { interpretIdea } from './interpret.ts';
import { baseForm, deedOf, ofOthers } from './phrasing.ts';
import { rolesOf } from './roles.ts';
import { targetUserOf } from './people.ts';

const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf'];

describe('words that every object answers to', () => {
  it.each(NAMES)('%s is a word like any other', (name) => {
    expect(cleanSentences(`We use ${name} at work.`, 'en').join(' ').toLowerCase()).toBe(`we use ${name.replaceAll('_', '')} at work`.toLowerCase());
    expect(baseForm(name)).toBeUndefined();
    expect(ofOthers(`my ${name}`)).toBe(`their ${name}`);
    expect(deedOf(`${name} the fence`).isDeed).toBe(false);
  });

  it.each(NAMES)('%s is no language', (language) => {
    expect(() => rolesOf(['I want a list.'], language)).not.toThrow();
    expect(() => targetUserOf(['A list for parents.'], language)).not.toThrow();
  });

  it('stand in an idea without leaving anything else there', async () => {
    const about = await interpretIdea('A constructor firm that keeps losing invoices wants an app that tracks what each client owes.');
    expect(about.normalizedIdea).toContain('constructor firm');
    expect(JSON.stringify(about)).not.toMatch(/native code|\[object|undefined/);
  });
});
