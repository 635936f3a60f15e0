import { describe, expect, it } from 'vitest';
import { interpretIdea } from './interpret.ts';
import { rolesOf } from './roles.ts';
import { targetUserOf } from './people.ts';

const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf'];

describe('words that every object answers to', () => {
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
