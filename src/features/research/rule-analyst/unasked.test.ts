import { describe, expect, it } from 'vitest';
import { placeIn, priceIn } from './place-and-price.ts';
import { unaskedIn, unwantedAmong, withoutUnasked } from './unasked.ts';

const things = (text: string): string[] => unaskedIn(text).things.map(({ quote }) => quote);

describe('what an idea says that it does without', () => {
  it.each([
    ['A hive scale without any sound or inspection features', ['sound', 'inspection features']],
    ['An expense splitter without ads, tracking or accounts for flatmates', ['ads', 'tracking', 'accounts']],
    ['An app that reminds me of my pills, no subscription', ['subscription']],
    ['A timer with no account and no cloud sync', ['account', 'cloud sync']],
    ['A map without an account that shows water fountains', ['account']],
    ['A notebook without cloud and with handwriting recognition', ['cloud']],
    ['Eine Bienenstockwaage ohne Ton oder Kamera für Imker', ['Ton', 'Kamera']],
    ['Eine App für Rezepte, keine Werbung', ['Werbung']],
    ['Une balance pour ruches sans son ni caméra', ['son', 'caméra']],
    ['Una báscula para colmenas sin sonido ni cámara', ['sonido', 'cámara']],
    ['Una app para dividir gastos sin publicidad', ['publicidad']],
  ])('%s', (text, expected) => expect(things(text)).toEqual(expected));

  it.each([
    'There is no good way to compare vets',
    'No one knows who waters the plants: a shared list for offices',
    'People order meals without knowing what is in them. I want an app that reads the label',
    'Niemand hat einen Überblick: eine App für Vereine',
    'No sé quién paga: una app para compartir gastos',
  ])('reads none in: %s', (text) => expect(things(text)).toEqual([]));

  it('says where each stands', () => {
    const text = 'A  hive scale, without any Sound!';
    for (const { start, end, quote } of [...unaskedIn(text).things, ...unaskedIn(text).said]) expect(text.slice(start, end)).toBe(quote);
    expect(withoutUnasked('A hive scale without any sound or inspection features')).toBe('A hive scale');
  });

  it('leaves what the rest of the text asks for', () => {
    const isUnwanted = unwantedAmong(['sound recording'], 'a hive scale with an alarm');
    expect([isUnwanted('Sound recording'), isUnwanted('Alarm')]).toEqual([true, false]);
    expect(unwantedAmong(['alarm'], 'a hive scale with an alarm')('Alarm')).toBe(false);
  });
});

describe('where and for how much', () => {
  it.each([
    ['A carpool app for commuters in Portugal', 'Portugal'],
    ['Un mercado de segunda mano en México', 'México'],
    ['Eine Mitfahrzentrale in der Schweiz', 'Schweiz'],
    ['Un service de garde à Paris', 'Paris'],
    ['A plugin that shows charts in Excel', undefined],
    ['An app that helps in May', undefined],
  ])('%s', (text, place) => expect(placeIn(text)).toBe(place));

  it.each([
    ['A meal planner for €5 a month', '€5 a month'],
    ['A meal planner, 4.99 euros per month', '4.99 euros per month'],
    ['Ein Kalender, kostenlos', 'kostenlos'],
    ['I pay $300 a month for spreadsheets today. I want an app that replaces them', undefined],
    ['A meal planner for 5 people', undefined],
  ])('%s', (text, price) => expect(priceIn(text)).toBe(price));
});
