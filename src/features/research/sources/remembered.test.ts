import { describe, expect, it } from 'vitest';
import type { Interpretation, Remembered } from '../analyst.ts';
import type { ResearchRun } from '../research-run.ts';
import { recallProducts } from './remembered.ts';

const product = (name: string, url = `https://${name.toLowerCase().replaceAll(' ', '-')}.example/`): Remembered => ({ name, url, why: 'It fits.' });

/** Looks products up on pages that the test gives by their address; any other cannot be read. */
async function recall(remembered: Remembered[], pages: Record<string, { title: string; text: string }>, categoryIds: string[] = []) {
  const asked: string[] = [];
  const read = async (url: string) => {
    asked.push(url);
    const page = pages[url];
    if (!page) throw new Error('not to be had');
    return { url, publishedAt: null, ...page };
  };
  const ctx = { pages: { read, close: async () => {} }, clock: { now: () => new Date(0) } };
  const about = { remembered, categoryIds, category: 'Bell ringing' } as unknown as Interpretation;
  const found = await recallProducts({ ctx, job: { id: 'job' } } as unknown as ResearchRun, about, new AbortController().signal);
  return { ...found, asked };
}

describe('a product from memory', () => {
  it('is a finding when its own page names it', async () => {
    const { findings, fromMemory } = await recall([product('Abel')], { 'https://abel.example/': { title: 'Home', text: 'Abel simulates bells.' } });
    expect(findings).toMatchObject([
      { kind: 'web', url: 'https://abel.example/', text: 'Abel simulates bells.', confidence: 0.7, freshness: 0.9, facts: null, isRemembered: true },
    ]);
    expect(fromMemory).toEqual([]);
  });

  it.each([
    ['that cannot be read', {}],
    ['that names somebody else', { title: 'Cain', text: 'Cain simulates bells. Abelard does not.' }],
    ['of a domain that is for sale', { title: 'abel.example', text: 'Abel: this domain is for sale.' }],
    ['that nobody set up', { title: 'Welcome to nginx!', text: 'The server of Abel works.' }],
    ['that names it too late to be shown', { title: 'Home', text: `${'bells '.repeat(600)} Abel` }],
  ])('stands apart with a link to search for it when it has a page %s', async (_what, page) => {
    const { findings, fromMemory } = await recall([product('Abel')], 'title' in page ? { 'https://abel.example/': page } : {});
    expect(findings).toEqual([]);
    expect(fromMemory).toEqual([
      { name: 'Abel', url: 'https://abel.example/', why: 'It fits.', search_url: 'https://duckduckgo.com/?q=%22Abel%22%20Bell%20ringing' },
    ]);
  });

  it('is looked up among ten at most', async () => {
    const { asked } = await recall(
      Array.from({ length: 14 }, (_, at) => product(`Bell ${at}`)),
      {},
    );
    expect(asked).toHaveLength(10);
  });

  it('stands with the catalogue when that has it in a market that was chosen', async () => {
    const splitwise = product('Splitwise', 'https://www.splitwise.com/');
    expect((await recall([splitwise], {}, ['bill-splitting'])).fromMemory).toEqual([]);
    expect((await recall([splitwise], {}, [])).fromMemory).toHaveLength(1);
  });
});
