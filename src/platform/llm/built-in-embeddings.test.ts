import { describe, expect, it } from 'vitest';
import { builtInEmbeddings, type Fields } from './built-in-embeddings.ts';

const corpus = () => [
  { id: 'bills', text: 'who owes whom after a trip. split the rent between flatmates. settle debts among friends. shared costs, receipts' },
  { id: 'plants', text: 'remember to water the plants. brown leaves, pot, soil, garden, fern, window sill' },
  { id: 'dentist', text: 'dental office, recall patients, x-rays, tooth charting, insurance claims for treatment' },
  { id: 'trucks', text: 'fleet of trucks, driving hours, fuel, where is my driver, engine faults, gps' },
];
const dot = (left: readonly number[], right: readonly number[]): number => left.reduce((sum, value, place) => sum + value * (right[place] ?? 0), 0);

async function similarity(left: string, right: string, options = {}): Promise<number> {
  const [one = [], other = []] = await builtInEmbeddings(options).embed([left, right]);
  return dot(one, other);
}

describe('the built-in embeddings', () => {
  it('are unit vectors of 512 dimensions, also for empty text', async () => {
    for (const vector of await builtInEmbeddings({ corpus }).embed(['a shared shopping list', '', '???', '購物清單'])) {
      expect(vector).toHaveLength(512);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 10);
    }
  });

  it('give the same vector for the same text, in whatever company', async () => {
    const text = 'remind me to water the fern';
    const [alone] = await builtInEmbeddings({ corpus }).embed([text]);
    const [, together] = await builtInEmbeddings({ corpus }).embed(['trucks', text]);
    expect(together).toEqual(alone);
  });

  it('bring everyday synonyms together', async () => {
    const near = await similarity('help my kids save money', 'children learning a budget');
    const far = await similarity('help my kids save money', 'truck maintenance schedule');
    expect(near).toBeGreaterThan(far + 0.1);
  });

  it('bring texts of one field together that share no word, given a corpus', async () => {
    const [left, right] = ['after our trip nobody knows who paid', 'flatmates settle the rent'];
    expect(await similarity(left, right, { corpus })).toBeGreaterThan((await similarity(left, right)) + 0.3);
    expect(await similarity(left, right, { corpus })).toBeGreaterThan(
      (await similarity(left, 'recall patients for tooth charting', { corpus })) + 0.3,
    );
  });

  it('read the corpus once and only when needed', async () => {
    let reads = 0;
    const embeddings = builtInEmbeddings({ corpus: () => ((reads += 1), corpus()) });
    expect(reads).toBe(0);
    await embeddings.embed(['one']);
    await embeddings.embed(['two']);
    expect(reads).toBe(1);
  });

  it('learn nothing again that was kept, and say the same by it', async () => {
    let learned: Fields | undefined;
    let reads = 0;
    const kept = { read: () => learned, write: (fields: Fields) => (learned = fields) };
    const options = { corpus: () => ((reads += 1), corpus()), kept };
    const first = await builtInEmbeddings(options).embed(['the rent of the flatmates']);
    const second = await builtInEmbeddings(options).embed(['the rent of the flatmates']);
    expect(reads).toBe(1);
    expect(second).toEqual(first);
  });
});
