import { describe, expect, it } from 'vitest';
import { builtInEmbeddings } from './built-in-embeddings.ts';

const FIELDS = { bills: /trip|rent|paid|flatmates/, dentist: /patients|tooth/, plants: /fern|water/ };
const topicsOf = (text: string) => Object.entries(FIELDS).flatMap(([id, words]) => (words.test(text) ? [[id, 1] as const] : []));
const dot = (left: readonly number[], right: readonly number[]): number => left.reduce((sum, value, place) => sum + value * (right[place] ?? 0), 0);

async function similarity(left: string, right: string, options = {}): Promise<number> {
  const [one = [], other = []] = await builtInEmbeddings(options).embed([left, right]);
  return dot(one, other);
}

describe('the built-in embeddings', () => {
  it('are unit vectors of 512 dimensions, also for empty text', async () => {
    for (const vector of await builtInEmbeddings({ topicsOf }).embed(['a shared shopping list', '', '???', '購物清單'])) {
      expect(vector).toHaveLength(512);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 10);
    }
  });

  it('give the same vector for the same text, in whatever company', async () => {
    const text = 'remind me to water the fern';
    const [alone] = await builtInEmbeddings({ topicsOf }).embed([text]);
    const [, together] = await builtInEmbeddings({ topicsOf }).embed(['trucks', text]);
    expect(together).toEqual(alone);
  });

  it('bring everyday synonyms together', async () => {
    const near = await similarity('help my kids save money', 'children learning a budget');
    const far = await similarity('help my kids save money', 'truck maintenance schedule');
    expect(near).toBeGreaterThan(far + 0.1);
  });

  it('bring texts about the same together that share no word, where it is told what they are about', async () => {
    const [left, right] = ['after our trip nobody knows who paid', 'flatmates settle the rent'];
    expect(await similarity(left, right, { topicsOf })).toBeGreaterThan((await similarity(left, right)) + 0.3);
    expect(await similarity(left, right, { topicsOf })).toBeGreaterThan(
      (await similarity(left, 'recall patients for tooth charting', { topicsOf })) + 0.3,
    );
  });
});
