import { readable } from '#lib/readable.ts';
import { situationOf } from './unasked.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt'];
const SHORT_NAMES = ['UK', 'US', 'USA', 'EU', 'UAE'];
const AREAS = /^(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));

let names: ReadonlySet<string> | undefined;
/** Countries in the languages that are read, and the cities after which time zones are called. */
export const placeNames = (): ReadonlySet<string> => (names ??= readPlaceNames());

function readPlaceNames(): Set<string> {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const countries = LANGUAGES.flatMap((language) => {
    const called = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    return codes.flatMap((code) => called.of(code) ?? []);
  });
  const cities = Intl.supportedValuesOf('timeZone').filter((zone) => AREAS.test(zone));
  return new Set([...SHORT_NAMES, ...countries, ...cities.map((zone) => (zone.split('/').at(-1) ?? '').replaceAll('_', ' '))]);
}

const WHERE =
  /(?<!\p{L})(?:in|across|throughout|around|near|en|em|no|na|au|aux|à|bei)\s(?:(?:the|der|den|la|le|les|el|los|las|all of)\s)?(\p{Lu}[\p{L}.'’-]{1,30}(?:\s\p{Lu}[\p{L}.'’-]{1,30}){0,3})/gu;

/** The country or city that a text names as where something is, as it stands there. */
export function placeIn(written: string): string | undefined {
  for (const [, name = ''] of readable(written).matchAll(WHERE)) {
    const words = name.replace(/[.'’-]+$/u, '').split(' ');
    const known = words.map((_, at) => words.slice(0, words.length - at).join(' ')).find((place) => placeNames().has(place));
    if (known) return known;
  }
  return undefined;
}

const MONEY =
  '(?:[€$£¥]\\s?\\d{1,9}(?:[.,]\\d{1,3})?|\\d{1,9}(?:[.,]\\d{1,3})?\\s?(?:[€$£¥]|(?:euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf|pesos?|reais)(?!\\p{L})))';
const PER = '(?:\\s?(?:\\/|(?:per|an?|each|pro|im|par|por|al|ao)\\s)\\s?\\p{L}{2,15})?';
const PRICE = new RegExp(
  `${MONEY}${PER}|(?<!\\p{L})(?:for free|free of charge|kostenlos|gratis|gratuit(?:e|s|es|o|a|amente|ement)?)(?!\\p{L})`,
  'giu',
);

/** What a text says that something should cost, as it stands there; what is paid today is no price of the idea. */
export function priceIn(written: string): string | undefined {
  const text = readable(written);
  const prices = Array.from(text.matchAll(PRICE), ([price]) => price);
  if (prices.length === 0) return undefined;
  const isSituation = situationOf(text);
  return prices.find((price) => !isSituation(price));
}
