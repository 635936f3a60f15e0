/** Repeats a piece up to a length in UTF-16 units; the last piece may be cut anywhere. */
const filled = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Different pieces, one behind the other, up to a length. */
function counted(length: number, piece: (at: number) => string): string {
  let text = '';
  for (let at = 0; text.length < length; at += 1) text += piece(at);
  return text.slice(0, length);
}

/** The same letters for the same number: spread by a linear congruential generator (Numerical Recipes). */
function letters(seed: number, length: number, from = 'abcdefghijklmnopqrstuvwxyz'): string {
  let state = (seed + 1) * 2654435761;
  let word = '';
  while (word.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    word += from.charAt(Math.floor((state / 2 ** 32) * from.length));
  }
  return word;
}

const of = (words: string): ((at: number) => string) => {
  const list = words.split(' ');
  return (at) => `${list[at % list.length] ?? ''} `;
};

/** What words may end in and begin with in German: nearly every cut of such a word leaves a part that a dictionary may know. */
const GERMAN = 'en ung er es bau haus arbeit zeit plan stelle bahn hof werk lager amt geld kauf kraft fahrt schiff ordner steuer bank'.split(' ');
const compound = (seed: number, parts: number): string =>
  Array.from({ length: parts }, (_, at) => GERMAN[(seed * 7 + at * (at + seed)) % GERMAN.length] ?? '').join('s');

const COMMON =
  'app for people who want to plan share track sell rent learn cook travel meet repair teach book order write read measure compare invoices recipes rooms bicycles gardens lessons tickets shifts patients parcels contracts photos songs taxes horses bees wine bread schools nurses farmers cyclists landlords freelancers volunteers because they always forget lose miss waste time money and cannot find it when it matters';

const KINDS: Readonly<Record<string, (length: number) => string>> = {
  // One thing without an end.
  'one letter': (n) => filled('a', n),
  'one capital': (n) => filled('A', n),
  'one digit': (n) => filled('7', n),
  'one word of many letters': (n) => letters(1, n),
  'one word of endings': (n) => filled('en', n),
  'one word of vowels': (n) => filled('aeiou', n),
  'one letter apart': (n) => filled('a ', n),
  'one word again': (n) => filled('buffalo ', n),
  'one number': (n) => `1${filled('0', n - 1)}`,
  'letters and digits': (n) => filled('a1', n),
  base64: (n) => letters(2, n, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
  // Words.
  'unknown short words': (n) => counted(n, (at) => `${letters(at, 4)} `),
  'unknown words': (n) => counted(n, (at) => `${letters(at, 9)} `),
  'unknown words of forty letters': (n) => counted(n, (at) => `${letters(at, 40)} `),
  'mistyped words': (n) =>
    counted(n, (at) =>
      of('recipies managment apointment garedn bycicle invioce freelanser landlrod restaraunt')(at).replace(/.(?= )/, letters(at, 2)),
    ),
  'common words': (n) => counted(n, of(COMMON)),
  'wishes without an end': (n) => filled('I want an app for people who want to see what they want so that they ', n),
  'pains without an end': (n) => filled('people who always forget and never know and lose hours because of it and ', n),
  'the same idea again': (n) => filled('An app for beekeepers that tracks hives, harvests and diseases. ', n),
  'different ideas': (n) => counted(n, (at) => `An app for ${of(COMMON)(at * 3)}that ${of(COMMON)(at * 5)}${letters(at, 5)}. `),
  'sentences of a word': (n) => counted(n, (at) => `${letters(at, 3)}. `),
  'clauses of a word': (n) => counted(n, (at) => `${letters(at, 3)}, `),
  'words with numbers': (n) => counted(n, (at) => `task${at} `),
  shouting: (n) => filled('WE NEED A TOOL FOR FARMERS AND WE NEED IT NOW ', n),
  'product names': (n) => counted(n, of('Notion Slack Trello Uber Airbnb Shopify Stripe Figma Duolingo Spotify Strava Canva Asana Jira Zoom Etsy')),
  'misspelt product names': (n) => counted(n, (at) => `${of('Shopifi Duolinga Quickboks Salesforc Mailchim Evernot')(at).trim()}${letters(at, 1)} `),
  apostrophes: (n) => filled("l'eau d'un qu'il don't it's ", n),
  hyphens: (n) => filled('state-of-the-art-', n),
  // Languages.
  'german compounds': (n) => `Ich will eine App für die ${counted(n, (at) => `${compound(at, 8).slice(0, 40)} `)}`.slice(0, n),
  'one german compound': (n) => filled('donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenauszahlungsstelle', n),
  'german endings': (n) => `Ich will eine App für die ${counted(n, (at) => `${letters(at, 6)}${filled('enesern', 34)} `)}`.slice(0, n),
  'german unknown words': (n) => `Wir haben das und die nicht und ich will ${counted(n, (at) => `${letters(at, 9)} der `)}`.slice(0, n),
  'spanish unknown words': (n) => `Quiero una aplicación para los que no tienen ${counted(n, (at) => `${letters(at, 8)} de `)}`.slice(0, n),
  'french unknown words': (n) => `Je veux une application pour les gens qui ont ${counted(n, (at) => `${letters(at, 8)} de `)}`.slice(0, n),
  'portuguese unknown words': (n) => `Quero um aplicativo para quem não tem ${counted(n, (at) => `${letters(at, 8)} de `)}`.slice(0, n),
  cyrillic: (n) => filled('приложение для пчеловодов и садоводов ', n),
  greek: (n) => filled('εφαρμογή για μελισσοκόμους ', n),
  arabic: (n) => filled('تطبيق لمربي النحل في المدينة ', n),
  'hebrew with points': (n) => filled('אֶפְלִיקַצְיָה לְדַבּוֹרַאי ', n),
  chinese: (n) => filled('为养蜂人记录蜂巢和收成的应用', n),
  japanese: (n) => filled('養蜂家のためのアプリ。巣箱を記録する', n),
  'korean parts': (n) => filled('\u1112\u1161\u11ab\u1100\u1173\u11af', n),
  thai: (n) => filled('แอปสำหรับคนเลี้ยงผึ้ง', n),
  devanagari: (n) => filled('मधुमक्खी पालकों के लिए ऐप ', n),
  // Signs.
  spaces: (n) => filled(' ', n),
  newlines: (n) => filled('\n', n),
  'a letter a line': (n) => filled('a\r\n', n),
  'tabs between words': (n) => filled('bees\t\t\t\t\t\t\t\t', n),
  commas: (n) => filled(',', n),
  'full stops': (n) => filled('.', n),
  'question marks apart': (n) => filled('? ', n),
  quotes: (n) => filled('"', n),
  'single quotes': (n) => filled("'", n),
  'open brackets': (n) => filled('(', n),
  'brackets in brackets': (n) => `${filled('([{', n / 2)}${filled(')]}', n)}`.slice(0, n),
  dashes: (n) => filled(' - ', n),
  'letters and full stops': (n) => filled('a.', n),
  'spaces before a sign': (n) => `An app${filled(' ', n - 7)}x`,
  'list marks': (n) => filled('- a\n1) b\n', n),
  numbers: (n) => counted(n, (at) => `${at * 7919} `),
  prices: (n) => counted(n, (at) => `$${at}.99/mo, `),
  addresses: (n) => counted(n, (at) => `https://${letters(at, 6)}.example/${letters(at, 3)} `),
  'one address': (n) => `https://example.com/${filled('a/', n)}`.slice(0, n),
  domains: (n) => filled('a.b.', n),
  'mail addresses': (n) => filled('a@b.c,', n),
  tags: (n) => filled('<a <b ', n),
  entities: (n) => filled('&amp;', n),
  markdown: (n) => filled('**_`[a](b)', n),
  json: (n) => filled('{"a":[', n),
  sql: (n) => filled(`'; drop table research; -- `, n),
  templates: (n) => filled('${a} {{b}} %s %n ', n),
  paths: (n) => filled('../', n),
  backslashes: (n) => filled('\\u0000\\', n),
  // Unicode.
  emoji: (n) => filled('🐝', n),
  'emoji apart': (n) => filled('🐝 🍯 ', n),
  'joined emoji': (n) => filled('👩‍👩‍👧‍👦', n),
  flags: (n) => filled('🇩🇪🇫🇷', n),
  'marks on one letter': (n) => `a${filled('\u0301\u0323\u0308', n - 1)}`,
  'marks on every letter': (n) => filled('z\u0301\u0323 ', n),
  'marks alone': (n) => filled('\u0301', n),
  'marks out of order': (n) => `a${filled('\u0301\u0323\u0345\u0334', n - 1)}`,
  'signs that grow when they are normalised': (n) => filled('\ufdfa', n),
  'letters that grow when they are lowered': (n) => filled('İ', n),
  'sharp s': (n) => filled('ß', n),
  'letters of two units': (n) => filled('𝒂𝓫', n),
  'wide letters': (n) => filled('ａｐｐ　', n),
  'marked and plain letters': (n) => filled('aé', n),
  'turned direction': (n) => filled('\u202eapp\u202c ', n),
  'invisible signs': (n) => filled('a\u200b\u200d\ufeff', n),
  'line separators': (n) => filled('a\u2028b\u2029', n),
  'no characters': (n) => filled('a\ufffe\uffff', n),
  NUL: (n) => filled('\u0000', n),
  'NUL between words': (n) => filled('app\u0000for bees ', n),
  'control characters': (n) => filled('\u0001\u0007\u001b[31m\u007f', n),
  'first halves': (n) => filled('\ud83d', n),
  'second halves': (n) => filled('\udc1d', n),
  'halves the wrong way round': (n) => filled('\udc1d\ud83d', n),
  'halves between words': (n) => filled('app \ud83dfor bees\udc1d ', n),
  'an emoji cut in half': (n) => filled('🐝', n - (n % 2) - 1) + filled('x', 1 + (n % 2)),
  // Names of what every object has.
  'prototype names': (n) => counted(n, of('__proto__ constructor toString hasOwnProperty valueOf isPrototypeOf __defineGetter__ prototype')),
  'a constructor firm': (n) => filled('A constructor firm that lost its toString and valueOf, called __proto__. ', n),
};

/** What leads a hostile text past the check that a text says something. */
const IDEA = 'An app for beekeepers that tracks hives and harvests: ';

/** A text made to be expensive, ill formed or mistaken for something else, by its name. */
export type HostileText = { name: string; /** Of exactly so many UTF-16 units, at least 60. */ text(length: number): string };

/** Texts as nobody means them, each at any length: repeated, unbroken, ill formed, of every script, or named like a property of all objects. */
export const hostileTexts: readonly HostileText[] = Object.entries(KINDS).map(([name, text]) => ({ name, text }));

/** The same, each behind an idea that is taken for one. */
export const hostileIdeas: readonly HostileText[] = hostileTexts.map(({ name, text }) => ({
  name: `an idea and ${name}`,
  text: (length) => `${IDEA}${text(Math.max(2, length - IDEA.length))}`.slice(0, length),
}));
