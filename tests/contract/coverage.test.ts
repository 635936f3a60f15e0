import { describe, expect, it } from 'vitest';
import { coverageList, proofsOf, readProofs } from './coverage.ts';

describe('the coverage', () => {
  it('is read from titles: plain, in tables, and those that fail for now', () => {
    const source = [
      "it('answers 409 [R034 R269]', async () => {});",
      "it.each([1, 2])('with %i works [R001]', () => {});",
      "it.fails.each([1])('is not there yet [R002]', () => {});",
      "it('proves nothing', () => { expect('[R003').toBe(1); });",
    ].join('\n');
    expect(proofsOf(source, 'x.test.ts').map(({ requirement, title, fails }) => [requirement, title, fails])).toEqual([
      ['R034', 'answers 409', false],
      ['R269', 'answers 409', false],
      ['R001', 'with %i works', false],
      ['R002', 'is not there yet', true],
    ]);
  });

  it('lists what is proven and what is not', () => {
    const proof = { requirement: 'R034', title: 'answers 409', file: 'x.test.ts' };
    const list = coverageList([
      { ...proof, fails: false },
      { ...proof, requirement: 'R035', fails: true },
    ]);
    expect(list).toContain('Proven: 1 of R001 to R330.');
    expect(list).toContain('- R034\n  - answers 409 (`x.test.ts`)');
    expect(list).toContain('- R035\n  - answers 409 (`x.test.ts`, fails for now)');
    expect(list).toMatch(/Not proven by a test that passes: .*R033, R035, /);
  });

  it('has no test that proves a requirement number that cannot be', () => {
    const numbers = readProofs().map(({ requirement }) => Number(requirement.slice(1)));
    expect(numbers.length).toBeGreaterThan(300);
    expect(numbers.filter((number) => number < 1)).toEqual([]);
  });
});
