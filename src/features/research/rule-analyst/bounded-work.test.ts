import { describe, expect, it } from 'vitest';
import { contentScore, detectLanguage, marketsNear, openCatalogue, significantTerms, stemsOf, termsOf } from '#features/catalogue';
import { normaliseText, shorten, slugify } from '#lib/text.ts';
import { hostileIdeas, hostileTexts } from '#testing/hostile-texts.ts';
import { ContentlessIdea } from '../analyst.ts';
import { interpretIdea } from './interpret.ts';
import { isContentless } from './substance.ts';

/** Ten times what the dearest of them takes: what grew with the square of its length, or faster, took minutes. */
const MOST_MS = 500;

const readings: readonly [string, (text: string) => unknown][] = [
  ['the language', detectLanguage],
  ['the score', contentScore],
  ['the terms', (text) => [significantTerms(text), termsOf(text), stemsOf(text)]],
  ['the search', (text) => openCatalogue().search(text)],
  ['the markets near', marketsNear],
  ['the companies', (text) => [openCatalogue().companyCalled(text), openCatalogue().findCompanies(text)]],
  ['the forms', (text) => [normaliseText(text), shorten(text, 200), slugify(text)]],
  ['the substance', isContentless],
  ['the interpretation', (text) => interpretIdea(text).catch(refused)],
];

function refused(error: unknown): null {
  if (error instanceof ContentlessIdea) return null;
  throw error;
}

/** Milliseconds of processor time that this thread has used: other programs take none of it. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function readAll(written: string, among: typeof readings): Promise<void> {
  for (const [what, read] of among) {
    const before = processorTime();
    await read(written);
    expect(processorTime() - before, what).toBeLessThan(MOST_MS);
  }
}

describe('50,000 characters are read in bounded time', () => {
  it.each(hostileTexts.map(({ name, text }) => [name, text] as const))('%s', async (_name, text) => readAll(text(50_000), readings));

  it.each(hostileIdeas.map(({ name, text }) => [name, text] as const))('%s', async (_name, text) => readAll(text(50_000), readings.slice(-1)));
});
