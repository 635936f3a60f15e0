import { describe, expect, it } from 'vitest';
import { ASKED_FROM, NEAR_FROM, wishesIn } from './asked-features.ts';
import { openCatalogue } from './index.ts';

function wishes(text: string): Map<string, number> {
  const { categories, confidence } = openCatalogue().search(text, { limit: 1 });
  const [first] = categories;
  return new Map(first ? wishesIn(text, first.category, confidence).map(({ feature, certainty }) => [feature, certainty]) : []);
}

const RIDING =
  'I run a small riding school with 14 horses. Parents book lessons by WhatsApp, I keep track of who rode which horse in a notebook so no horse works more than two hours, and half of them forget to pay. I want one app for booking, horse workload and payments.';

describe('what a text asks for among the features of a market', () => {
  it.each([
    ['a riding school', RIDING, ['lesson-booking', 'horse-training', 'boarding-billing'], ['horse-breeding', 'horse-marketplace', 'show-entries']],
    [
      'a machine shop',
      'We are a 40 person machine shop. Quotes take two days because the boss must look at each drawing himself. Upload the CAD file and get a price.',
      ['instant-price', 'shop-quoting'],
      ['moulding', 'supplier-directory'],
    ],
    [
      'a home baker',
      'I bake at home and sell 60 loaves on Saturdays. Pre-orders with a pick-up slot, stop orders at 60, list for the oven.',
      ['order-page', 'pickup-slots'],
      ['bake-labels', 'bake-income'],
    ],
    [
      'a waiter',
      'O garçom anota o pedido em papel, a comanda se perde até a cozinha e dividir a conta da mesa demora',
      ['kitchen-display', 'handheld-ordering'],
      [],
    ],
  ])('is seen in what %s tells', (_, text, asked, unasked) => {
    const found = wishes(text);
    for (const feature of asked) expect([feature, found.get(feature)]).toEqual([feature, expect.toSatisfy((certainty) => certainty >= ASKED_FROM)]);
    for (const feature of unasked)
      expect([feature, found.get(feature) ?? 0]).toEqual([feature, expect.toSatisfy((certainty) => certainty < NEAR_FROM)]);
  });

  it('is quoted from the text itself', () => {
    const { categories, features } = openCatalogue().search(RIDING, { limit: 1 });
    const booking = features.find(({ feature }) => feature.id === 'lesson-booking');
    expect(categories[0]?.category.id).toBe('horse-stables');
    expect(booking?.clause).toBe('Parents book lessons by WhatsApp');
  });

  it('is no feature of a market that somebody only says they work in', () => {
    const certainties = [...wishes('We are a small riding school in Kent with 14 horses.').values()];
    expect(certainties.filter((certainty) => certainty >= ASKED_FROM)).toEqual([]);
  });
});
