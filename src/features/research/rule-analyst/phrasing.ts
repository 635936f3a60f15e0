import { mapOf } from '#lib/map-of.ts';
import { collapseSpaces } from '#lib/text.ts';
import { inline } from './clean-text.ts';

/** What an idea does, as it can stand inside English sentences. */
export type Deed = {
  /** After "to": `learn what runs out`. */
  toDo: string;
  /** As a noun: `learning what runs out`. */
  doing: string;
  /** Whether it opens with a known verb, and so was not quoted. */
  isDeed: boolean;
};

const VERBS = new Set(
  `accept add adjust adapt advise alert allow analyse analyze announce answer apply approve archive arrange ask assign assemble audit automate back balance batch block book borrow bring browse build
  bundle buy calculate call cancel capture catch categorise categorize change charge chase chat check choose clean clear clip coach collect combine compare compile compose compute confirm connect
  convert cook copy correct count cover create crop cut decide deliver deploy describe design detect discover display distribute divide do download draft draw drive earn edit embed enforce enter
  estimate evaluate exchange explain export extract fetch file fill filter find fix flag follow forecast forward gather generate get give grade group guess guide handle help hide highlight hire host
  identify import index inform insert inspect install integrate invite invoice issue join keep know label launch lead learn lend let limit link list listen live load locate lock log look lower
  maintain make manage map mark match measure meet merge message migrate mix model monitor move mute negotiate nominate note notice notify nudge observe offer open optimise optimize order organise organize
  outline pair pay pick pin place plan play point poll post practise practice predict prepare present prevent price print prioritise prioritize process produce promote propose protect prove provide publish
  pull push put quiz quote rank rate reach read receive recognise recognize recommend reconcile record recover redact reduce register reject release remember remind remove rent reorder repeat replace replay reply
  report request reschedule reserve resell respond restock retry return reuse review reward rotate route run save scan schedule score search secure see sell send separate serve set settle share shorten show sign
  simplify simulate skip solve sort speak split spot start stay stop store stream submit subscribe suggest summarise summarize support surface swap switch sync synchronise synchronize tag take talk teach tell test text
  tidy tip total trace track trade train transcribe transfer translate trigger trim turn type understand unlock update upload use validate verify view visit vote walk warn watch weigh withdraw work write win`.split(
    /\s+/,
  ),
);
const OFTEN_NOUNS =
  /^(?:notes|lists|places|plans|records|orders|reports|checks|books|alerts|scores|messages|labels|maps|reviews|offers|quotes|calls|visits|tests)$/i;
const IRREGULAR = mapOf<string>({ has: 'have', does: 'do', goes: 'go', is: 'be' });
const DOUBLED = /^(?:[^aeiou]*[aeiou][^aeiouwxy]|forget|begin|submit|permit|commit|prefer|refer|forbid|unplug)$/;
const PERSONS = mapOf<string>({
  i: 'they',
  we: 'they',
  my: 'their',
  our: 'their',
  your: 'their',
  me: 'them',
  us: 'them',
  mine: 'theirs',
  ours: 'theirs',
  "i'm": 'they are',
  "we're": 'they are',
  "i've": 'they have',
  "we've": 'they have',
});

/** The base form of a verb in the present or as a participle; undefined for other words. */
export function baseForm(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (VERBS.has(lower)) return lower;
  const known = IRREGULAR.get(lower);
  if (known) return known;
  const forms = [lower.replace(/ies$/, 'y'), lower.replace(/es$/, ''), lower.replace(/s$/, '')];
  const part = lower.replace(/ing$/, '');
  if (part !== lower) forms.push(part, `${part}e`, part.replace(/(.)\1$/, '$1'));
  return forms.find((form) => form !== lower && VERBS.has(form));
}

function gerund(base: string): string {
  if (base.endsWith('ie')) return `${base.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(base)) return `${base.slice(0, -1)}ing`;
  return DOUBLED.test(base) ? `${base}${base.at(-1)}ing` : `${base}ing`;
}

/** "What we buy" is what they buy, to the reader of a report. */
export const ofOthers = (text: string): string =>
  text.replaceAll(/\b(?:I'm|I've|we're|we've|I|we|my|our|your|me|us|mine|ours)\b/gi, (word) => PERSONS.get(word.toLowerCase()) ?? word);

const LONG = 64;
const ASIDE =
  /\s(?:so that|so (?:i|we|they|you|nobody|no one)|because|while|when|whenever|if|after|before|instead of|without|until|unless|as soon as|even if|based on|from|during|with)\s.*$/i;

/** After these an aside is what is known, and not beside the point. */
const KNOWING = /(?:\b(?:know|knows|remember|remembers|tell|tells|told|see|sees|say|says|ask|asks|decide|decides|understand|understands))$/i;

/** A clause of an English idea without the asides that make it long. */
export function plainClause(clause: string): string {
  const flat = collapseSpaces(clause).replace(/[\s,.;:!?…]+$/u, '');
  if (flat.length <= LONG) return flat;
  const short = flat.replace(ASIDE, '');
  return short.split(' ').length >= 4 && !KNOWING.test(short) && short.length < flat.length ? plainClause(short) : flat;
}

/** A clause as a deed: verbs in the form that a sentence needs, others seen from outside; what opens with no known verb is quoted. */
export function deedOf(clause: string, language = 'en'): Deed {
  const plain = inline(plainClause(clause), language);
  const [first = '', second = '', ...rest] = plain.split(' ');
  const adverb = language === 'en' && /^[a-z]{3,}ly$/.test(first) && baseForm(second) ? first : '';
  const verb = adverb ? second : first;
  // "A place to write", "list of guests": there the word is a noun.
  const isNoun =
    !adverb && /^(?:to|of|for|where|that|which|with|from|on|per)$/i.test(second) && (VERBS.has(verb.toLowerCase()) || OFTEN_NOUNS.test(verb));
  const base = language === 'en' && !isNoun ? baseForm(verb) : undefined;
  if (!base) {
    const named =
      language === 'en' && /^(?:an?|the|one|every|each|all)\s/i.test(plain) && plain.length <= LONG
        ? ofOthers(plain)
        : `“${plain.replaceAll(/[“”"]/g, '')}”`;
    return { toDo: `offer ${named}`, doing: named, isDeed: false };
  }
  const tail = ofOthers((adverb ? rest : [second, ...rest]).join(' '));
  const lead = adverb ? `${adverb} ` : '';
  return { toDo: collapseSpaces(`${lead}${base} ${tail}`), doing: collapseSpaces(`${lead}${gerund(base)} ${tail}`), isDeed: true };
}

const AMBIGUOUS = /,|\b(?:and|or)\b/;

const SAID_AS_DEED = /^(?:works|runs|finds|reads|connects|detects|writes|sends|learns|shows|keeps|follows)(?= (?!and\b|or\b|of\b))/;

/** A feature's name inside a sentence: "works offline" is had as working offline. */
export const featureName = (name: string): string => inline(name).replace(SAID_AS_DEED, (verb) => gerund(baseForm(verb) ?? verb));

/** Feature names inside a sentence: plain, and quoted only where a list of them could be misread. */
export function featureNames(features: readonly { name: string }[]): { name: string }[] {
  const isUnclear = features.length > 1 && features.some(({ name }) => AMBIGUOUS.test(name));
  return features.map(({ name }) => ({ name: isUnclear ? `“${featureName(name).replaceAll(/[“”"]/g, '')}”` : featureName(name) }));
}
