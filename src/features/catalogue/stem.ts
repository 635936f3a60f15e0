const IRREGULAR: ReadonlyMap<string, string> = new Map(
  (
    'children:child men:man women:woman bought:buy paid:pay lost:lose kept:keep found:find forgot:forget forgotten:forget ' +
    'sold:sell taught:teach wrote:write written:write spent:spend mice:mouse feet:foot teeth:tooth lent:lend built:build ' +
    'took:take taken:take ate:eat eaten:eat drank:drink slept:sleep ran:run swam:swim drove:drive driven:drive sent:send ' +
    'held:hold broke:break broken:break chose:choose chosen:choose grew:grow grown:grow caught:catch fed:feed stole:steal ' +
    'stolen:steal flew:fly flown:fly sang:sing rode:ride wore:wear worn:wear brought:bring thought:think fought:fight ' +
    'owes:owe owed:owe owing:owe data:data media:media lives:life wives:wife knives:knife leaves:leave calves:calf ' +
    'dying:die lying:lie tying:tie skis:ski skies:sky idly:idle gently:gentle ugly:ugly early:early only:only singly:single ' +
    'news:news atlas:atlas cosmos:cosmos bias:bias gas:gas bus:bus buses:bus lens:lens lenses:lens ' +
    'analyses:analysis analysis:analysis analytics:analytics businesses:business business:business ' +
    'university:university universities:university universe:universe ' +
    'organ:organ organs:organ policy:policy policies:policy police:police ' +
    'meeting:meeting meetings:meeting wedding:wedding weddings:wedding building:building buildings:building ' +
    'training:training accounting:accounting accountant:accountant accountants:accountant account:account accounts:account ' +
    'listing:listing listings:listing marketing:marketing market:market markets:market ' +
    'general:general generals:general generate:generate generation:generate generator:generate ' +
    'community:community communities:community communicate:communicate communication:communicate ' +
    'customer:customer customers:customer number:number numbers:number wedded:wed personnel:personnel personal:personal'
  )
    .split(' ')
    .map((pair) => {
      const [form = '', base = ''] = pair.split(':');
      return [form, base] as const;
    }),
);
const UNCHANGED = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '));
const isVowel = (letter: string | undefined) => letter !== undefined && 'aeiouy'.includes(letter);
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

const STEP_2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
];
const STEP_3: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['ative', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const STEP_4 = ['ement', 'able', 'ance', 'ence', 'ible', 'ment', 'ant', 'ate', 'ent', 'ion', 'ism', 'iti', 'ive', 'ize', 'ous', 'al', 'er', 'ic'];

function regionAfter(word: string, start: number): number {
  for (let at = start; at < word.length - 1; at += 1) {
    if (isVowel(word[at]) && !isVowel(word[at + 1])) return at + 2;
  }
  return word.length;
}

function firstRegion(word: string): number {
  const prefix = /^(?:gener|commun|arsen)/.exec(word)?.[0];
  return prefix === undefined ? regionAfter(word, 0) : prefix.length;
}

function endsInShortSyllable(word: string): boolean {
  return /^[aeiouy][^aeiouy]$|[^aeiouy][aeiouy][^aeiouywxY]$/.test(word);
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (/(?:us|ss)$/.test(word)) return word;
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutParticiple(word: string, first: number): string {
  const agreed = /eed(?:ly)?$/.exec(word);
  if (agreed) return agreed.index >= first ? word.slice(0, agreed.index + 2) : word;
  const ending = /(?:edly|ingly|ed|ing)$/.exec(word);
  if (!ending) return word;
  const base = word.slice(0, ending.index);
  if (!/[aeiouy]/.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (DOUBLE.test(base)) return base.slice(0, -1);
  return firstRegion(base) >= base.length && endsInShortSyllable(base) ? `${base}e` : base;
}

function replaceSuffix(word: string, rules: readonly (readonly [string, string])[], first: number, second: number): string {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue;
    const at = word.length - suffix.length;
    if (at < first) return word;
    if (suffix === 'ogi' && word[at - 1] !== 'l') return word;
    if (suffix === 'li' && !'cdeghkmnrt'.includes(word[at - 1] ?? '-')) return word;
    if (suffix === 'ative' && at < second) return word;
    return word.slice(0, at) + replacement;
  }
  return word;
}

function withoutDerivation(word: string, second: number): string {
  for (const suffix of STEP_4) {
    if (!word.endsWith(suffix)) continue;
    const at = word.length - suffix.length;
    if (at < second) return word;
    return suffix === 'ion' && !/[st]$/.test(word.slice(0, at)) ? word : word.slice(0, at);
  }
  return word;
}

function withoutFinal(word: string, first: number, second: number): string {
  const at = word.length - 1;
  if (word.endsWith('e')) {
    return at >= second || (at >= first && !endsInShortSyllable(word.slice(0, at))) ? word.slice(0, at) : word;
  }
  return word.endsWith('ll') && at >= second ? word.slice(0, at) : word;
}

function porter2(input: string): string {
  const marked = input.replace(/^y|(?<=[aeiouy])y/g, 'Y');
  const first = firstRegion(marked);
  const second = regionAfter(marked, first);
  const singular = withoutPlural(marked);
  if (UNCHANGED.has(singular)) return singular;
  const plain = withoutParticiple(singular, first).replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  const shorter = replaceSuffix(replaceSuffix(plain, STEP_2, first, second), STEP_3, first, second);
  return withoutFinal(withoutDerivation(shorter, second), first, second).toLowerCase();
}

const american = (word: string) => (word.length > 6 ? word.replace(/is(?=(?:e|ed|es|er|ers|ing|ation|ations)$)/, 'iz') : word);

const known = new Map<string, string>();
const MEMORY_LIMIT = 50_000;

/** The stem of one lower-case English word, by Porter2 (Snowball English) with irregular forms and one spelling for -ise/-ize. */
export function stem(word: string): string {
  const seen = known.get(word);
  if (seen !== undefined) return seen;
  const regular = IRREGULAR.get(word);
  const result = regular ?? (word.length <= 2 || /\d/.test(word) ? word : porter2(american(word)));
  if (known.size < MEMORY_LIMIT) known.set(word, result);
  return result;
}

const ENDINGS = {
  es: /(?:aciones|acion|iciones|icion|imientos?|amientos?|amente|mente|ariamos|eriamos|iriamos|aremos|eremos|iremos|ariais|abamos|iendo|yendo|ando|adas|ados|idas|idos|ada|ado|ida|ido|amos|emos|imos|aba[ns]?|ia[ns]|aron|ieron|ara[ns]?|ores|ora[s]?|ar|er|ir|or|an|en|as|os|es|a|o|e|s)$/,
  pt: /(?:acoes|acao|icoes|icao|oes|ao|aes|imentos?|amentos?|amente|mente|ariamos|aremos|eremos|iremos|avamos|ando|endo|indo|adas|ados|idas|idos|ada|ado|ida|ido|amos|emos|imos|ava[ms]?|ia[ms]|aram|eram|iram|ores|ora[s]?|ar|er|ir|or|am|em|as|os|es|is|a|o|e|m|s)$/,
  fr: /(?:ations?|itions?|issements?|ements?|ments?|issons|issez|issent|erions|eraient|aient|antes?|ants?|ions|eurs?|euses?|rices?|ees|es|ons|ent|ez|er|ir|re|ee|ai[st]|is|it|e|s|x)$/,
  de: /(?:ungen|ung|ern|est|em|en|er|es|st|te|ten|et|e|n|s|t)$/,
} as const;
const SHORTEST = { es: 3, pt: 3, fr: 3, de: 4 } as const;

/** A light stem of one Spanish, German, French or Portuguese word (already without diacritics): one inflection ending less. */
export function stemForeign(word: string, language: 'es' | 'de' | 'fr' | 'pt'): string {
  if (/\d/.test(word)) return word;
  const ending = ENDINGS[language].exec(word);
  if (!ending) return word;
  if (ending.index >= SHORTEST[language]) {
    const base = word.slice(0, ending.index);
    return language === 'fr' ? base.replace(/y$/, 'i') : base;
  }
  const plural = word.replace(/(?:[sx]|[aeo])$/, '');
  return plural.length >= SHORTEST[language] ? plural : word;
}
