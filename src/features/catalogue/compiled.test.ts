import { describe, expect, it } from 'vitest';
import { compile, openCompiled, readKept } from './compiled.ts';

describe('the catalogue ready to be searched', () => {
  it('is the same read back as worked out', () => {
    openCompiled();
    const [read, made] = [readKept(), compile()];
    expect(Buffer.compare(read.markets.text, made.markets.text)).toBe(0);
    expect(read.markets.companyIds).toEqual(made.markets.companyIds);
    expect(read.index).toEqual(made.index);
    expect(read.products).toEqual(made.products);
    expect(read.lexicon).toEqual(made.lexicon);
  });

  it('finds every market and company again where they are kept', () => {
    const { shelf } = openCompiled();
    let companies = 0;
    for (const [place, category] of [...shelf].entries()) {
      expect(shelf.at(place)?.id).toBe(category.id);
      expect(shelf.companiesOf(place)).toEqual([companies, companies + category.companies.length]);
      const [first] = category.companies;
      expect(shelf.company(first?.id ?? '')).toMatchObject({ company: { id: first?.id }, category: { id: category.id }, place: companies });
      expect(shelf.servedBy(companies)[0]).toBe(place);
      companies += category.companies.length;
    }
    expect([shelf.at(shelf.size), shelf.at(-1), shelf.category('no such market'), shelf.company('no such company')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
