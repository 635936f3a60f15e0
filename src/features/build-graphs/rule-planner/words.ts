/** A noun in both numbers: `grocery list`, `grocery lists`. */
export type Noun = { one: string; many: string };

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  (
    'person:people child:children man:men woman:women mouse:mice foot:feet tooth:teeth shelf:shelves leaf:leaves loaf:loaves knife:knives ' +
    'life:lives wife:wives half:halves wolf:wolves calf:calves thief:thieves diagnosis:diagnoses analysis:analyses medium:media criterion:criteria ' +
    'grandchild:grandchildren businessman:businessmen craftsman:craftsmen salesperson:salespeople quiz:quizzes'
  )
    .split(' ')
    .map((pair) => {
      const [one = '', many = ''] = pair.split(':');
      return [one, many] as const;
    }),
);
const SINGULARS: ReadonlyMap<string, string> = new Map([...IRREGULAR].map(([one, many]) => [many, one]));
const UNCOUNTED = new Set(
  `equipment furniture money music information software hardware news homework feedback content staff laundry mail stuff food water traffic luggage
  jewelry jewellery clothing insurance advice knowledge progress paperwork energy waste compost rent research electricity training maintenance
  inventory livestock produce merchandise footage audio evidence sleep weather fuel history time data`.split(/\s+/),
);
const SAME = /(?:ss|us|sis|xis|tis|nis|ics|news)$/;

export function singular(word: string): string {
  const known = SINGULARS.get(word);
  if (known) return known;
  if (word.length < 4 || SAME.test(word) || !word.endsWith('s') || UNCOUNTED.has(word)) return word;
  if (/[aeiou]ys$|^(?:movie|cookie|pie|tie|selfie|zombie|brownie|calorie|smoothie|hoodie)s$/.test(word)) return word.slice(0, -1);
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:x|ch|sh|ss|zz)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

export function plural(word: string): string {
  const known = IRREGULAR.get(word);
  if (known) return known;
  if (SINGULARS.has(word) || UNCOUNTED.has(word) || word.endsWith('ics')) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh|z)$/.test(word) ? `${word}es` : `${word}s`;
}

/** Both numbers of a phrase whose last word is the noun. What cannot be counted comes in pieces. */
export function nounOf(phrase: string): Noun {
  const words = phrase.toLowerCase().split(' ').filter(Boolean);
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const base = singular(last);
  if (base === 'staff') return { one: [...before, 'staff member'].join(' '), many: [...before, 'staff members'].join(' ') };
  if (UNCOUNTED.has(base)) return { one: ['piece of', ...before, base].join(' '), many: ['pieces of', ...before, base].join(' ') };
  return { one: [...before, base].join(' '), many: [...before, plural(base)].join(' ') };
}

export const isUncounted = (word: string): boolean => UNCOUNTED.has(singular(word));

/** `an invoice`, `a unit`, `an hour`. */
export function withArticle(phrase: string): string {
  const vowel = /^(?:[aeio]|u(?!ni|se|sa|ti|k)|hour|honest|heir)/i.test(phrase);
  return `${vowel ? 'an' : 'a'} ${phrase}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
