import { plain } from './plain-text.ts';

/** A number that is written as words: `twenty-five`, `two hundred`. `next` are the two words after it, in plain form. */
export type WordNumber = { value: number; next: string };

/** From 2 on, in the languages that ideas come in; the first list of a language is 2, 3, 4 … 20. */
const COUNTED = [
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  'dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte',
];
const TENS = [
  'thirty forty fifty sixty seventy eighty ninety',
  'dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
  'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  'trente quarante cinquante soixante septante huitante nonante',
  'trinta quarenta cinquenta sessenta setenta oitenta noventa',
];
const SCALES: readonly (readonly [number, string])[] = [
  [12, 'dozen dozens dutzend docena docenas douzaine douzaines dúzia dúzias'],
  [100, 'hundred hundreds hundert cien ciento cem cento'],
  [1000, 'thousand thousands tausend tausende mil mille milliers miles'],
  [1e6, 'million millions millionen millón millones milhão milhões'],
];
/** Numbers in one language and everyday words in another. */
const AMBIGUOUS = new Set([
  'once',
  'elf',
  'six',
  'dix',
  'sept',
  'onze',
  'miles',
  'mille',
  'mil',
  'cem',
  'doze',
  'quince',
  'seize',
  'treize',
  'cento',
]);

const SMALL = new Map([
  ...COUNTED.flatMap((list) => list.split(' ').map((word, place) => [plain(word), place + 2] as const)),
  ...TENS.flatMap((list) => list.split(' ').map((word, place) => [plain(word), 10 * (place + 3)] as const)),
]);
const LARGE = new Map(SCALES.flatMap(([value, list]) => list.split(' ').map((word) => [plain(word), value] as const)));
const isNumber = (word: string | undefined): word is string => word !== undefined && (SMALL.has(word) || LARGE.has(word));

/**
 * The numbers that stand in a text as words. With `each`, the words of a longer one count by themselves as well, and so do
 * words that mean a number in one language alone: what a text may be taken to say, not what it must.
 */
export function wordNumbersIn(text: string, { each = false }: { each?: boolean } = {}): WordNumber[] {
  const words = plain(text).split(' ');
  const found: WordNumber[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const from = at;
    let [sum, part] = [0, 0];
    for (let word = words[at]; isNumber(word); word = words[at]) {
      const [small, large] = [SMALL.get(word), LARGE.get(word)];
      if (small !== undefined) part += small;
      if (large !== undefined && large < 1000) part = Math.max(1, part) * large;
      if (large !== undefined && large >= 1000) [sum, part] = [sum + Math.max(1, part) * large, 0];
      at += words[at + 1] === 'and' && (large ?? 0) >= 100 && isNumber(words[at + 2]) ? 2 : 1;
    }
    const run = words.slice(from, at);
    if (run.length === 0 || (!each && run.every((word) => AMBIGUOUS.has(word)))) continue;
    found.push({ value: sum + part, next: words.slice(at, at + 2).join(' ') });
    if (each) for (const word of run) found.push({ value: SMALL.get(word) ?? LARGE.get(word) ?? 0, next: '' });
    at -= 1;
  }
  return found;
}
