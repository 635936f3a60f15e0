import { describe, expect, it } from 'vitest';
import { compile, openCompiled } from './compiled.ts';

describe('the catalogue ready to be searched', () => {
  it('is the same read back as worked out', () => {
    openCompiled();
    const [read, made] = [openCompiled(), compile()];
    expect(read.index.categories).toEqual(made.index.categories);
    expect(read.index.unitLists).toEqual(made.index.unitLists);
    expect(read.index.vocabulary).toEqual(made.index.vocabulary);
    expect(read.products).toEqual(made.products);
    expect(read.lexicon).toEqual(made.lexicon);
  });

  it('cannot be changed', () => {
    const [category] = openCompiled().index.categories;
    expect(() => (category ?? { needs: [] as string[] }).needs.push('more')).toThrow(TypeError);
  });
});
