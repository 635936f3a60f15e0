import { tokenize } from '#features/catalogue';
import { mapOf } from '#lib/map-of.ts';
import { writerIn } from './introductions.ts';
import { baseForm } from './phrasing.ts';
import { isPlural, isSomebody, looksLikePeople, pluralOf, tidy } from './somebody.ts';

/** End of a noun phrase in the languages that are read. */
const STOP = `(?=[,.;:!?()]|$|\\s(?:at the end|afterwards|later)\\b|\\s(?:that|which|where|so|because|to|and then|then|with|without|it|when|while|but|using|via|by|instead|is|are|can|could|should|would|will|based|from|as|on|through|like|damit|die|der|das|weil|um|mit|wo|que|para que|porque|con|donde|qui|parce|pour que|avec|afin|com|onde|de modo)\\s)`;
const phrase = (lead: string): RegExp => new RegExp(`${lead}([^\\s,.;:!?()]+(?:\\s[^\\s,.;:!?()]+){0,6}?)${STOP}`, 'iu');
const clause = (lead: string): RegExp => new RegExp(`(${lead}[^.;:!?()]{4,90}?)(?=[.;:!?()]|$|,\\s)`, 'iu');

const CLAUSES = mapOf<readonly RegExp[]>({
  en: [
    clause(
      '(?<=(?:^|\\b(?:for|helps?|helping|aimed at|of) (?:\\w+ )?))(?:people|anyone|anybody|folks|those|someone|users|men|women|parents|kids|teams|companies|businesses|students|owners|freelancers|couples|families|developers|everyone) (?:who|that are|with|like me who|whose|living|working|in their|on a|looking)\\b ?',
    ),
  ],
  de: [clause('(?:leute|menschen|personen|alle|jeden|familien|eltern|paare|firmen|betriebe|nutzer),? (?:die|der|mit|ohne)\\b ')],
  es: [
    clause('(?:gente|personas|quienes|los|las|familias|padres|empresas|parejas) que\\b '),
    clause('(?:gente|personas|familias|padres|parejas) (?:con|sin)\\b '),
  ],
  fr: [clause('(?:gens|personnes|ceux|celles|familles|parents|entreprises|couples) (?:qui|avec|sans)\\b ')],
  pt: [clause('(?:pessoas|gente|quem|aqueles|famílias|pais|empresas|casais) (?:que|com|sem)\\b ')],
});
const PHRASES = mapOf<readonly RegExp[]>({
  en: [phrase('\\b(?:for|aimed at|targeting|targeted at|helps?|helping|between|connects?|connecting)\\s+')],
  de: [phrase('\\b(?:für|hilft)\\s+')],
  es: [phrase('\\b(?:para|ayuda a)\\s+')],
  fr: [phrase('\\b(?:pour|aide)\\s+')],
  pt: [phrase('\\b(?:para|ajuda)\\s+')],
});
const RELATIVE_WORDS = `wife husband partner mom mum mother dad father parents grandma grandmother grandpa kids children son daughter team students
  clients patients customers employees roommates flatmates family frau mann mutter vater eltern oma opa kinder familie kunden
  mitarbeiter schüler mitbewohner esposa marido madre padre padres abuela hijos familia clientes alumnos femme mari mère père
  enfants famille élèves mulher mãe pai avó filhos família alunos`.split(/\s+/);
const RELATIVES = new RegExp(
  `\\b(?:my|our|mein|meine|meinen|unsere|mi|mis|nuestros|mon|ma|mes|nos|meu|minha|meus)\\s+(?:${RELATIVE_WORDS.join('|')})(?![\\p{L}])`,
  'iu',
);

/** "People who bake at home | want to swap starters": what follows their description is said of them. */
const MAIN_VERB =
  /(?<=^\S+ (?:(?:who|that) \S+ \S|(?:with|in|without|living|working) \S).*)\s(?:wants?|needs?|wish(?:es)?|would|struggles?|forgets?|loses?|cannot|can't|don't|often|never|always|have no|end up|should|must)\s.*$/i;

export type TargetUser = {
  text: string;
  /** How it was said: outright, about the writer, in passing, or not at all. */ said: 'named' | 'writer' | 'mentioned' | 'not';
};

/** Whom the idea is for, in its own words. */
export function targetUserOf(sentences: readonly string[], language: string): TargetUser {
  for (const pattern of CLAUSES.get(language) ?? []) {
    for (const sentence of sentences) {
      const found = pattern.exec(sentence)?.[1];
      if (found) return { text: tidy(found.replace(MAIN_VERB, '')), said: 'named' };
    }
  }
  for (const sentence of sentences) {
    const found = namedIn(sentence, language);
    if (found) return { text: tidy(found), said: 'named' };
  }
  const all = sentences.join('. ');
  const writer = writerIn(sentences, language);
  const subject = language === 'en' ? subjectOf(sentences[0] ?? '') : '';
  // "Developers in our team" says more than the team.
  if (subject && (!writer || ANY_GROUP.test(writer))) return { text: subject, said: 'named' };
  if (writer) return { text: writer, said: 'writer' };
  const relative = /\b(?:her|him|she|he|them|their|ihr|ihm|ihn|le|les|lui|ele|ela|dele|dela)\b/i.test(sentences.slice(1).join(' '))
    ? RELATIVES.exec(all)?.[0]
    : undefined;
  // "My wife": whose she is tells a person from a kind of people.
  if (relative) return { text: relative.toLowerCase(), said: 'writer' };
  const mentioned = language === 'en' ? mentionedIn(sentences) : '';
  return mentioned ? { text: mentioned, said: 'mentioned' } : { text: '', said: 'not' };
}

const ANY_GROUP = /^(?:team|company|business|firm|office|department|group|organi[sz]ation)$/i;

const TROUBLE =
  /\s(?:(?:always|often|still|never|constantly|usually|really|regularly) )?(?:spends?|loses?|wastes?|forgets?|struggles?|drowns?|miss(?:es)?|hates?|juggles?|fights?|guess(?:es)?|chases?|type|copy|write|re-?write|end up|run out|cannot|can't|don't|do not|have (?:no|to)|need|want|find it|worry|argue|suffer|rely|wait|search|throw|burn|pay|buy|get|keep|leave|work|track|manage|plan|sell|cook|teach|post|record|print|fear|dread|skip|give up|must|report|call|ask|send|visit|drive|see|hear|know|use|swap|lend|run|come|meet|try|look|learn|read|order|ship|deliver|build|draw|play|train|travel|walk|carry|collect|apply|join|answer|complain|hand out|give|take|make|fill|sign|prepare|organi[sz]e|coordinate|share|create|measure|count|check|enter|treat|own)\b/i;

/** "Small law firms lose hours …": the first sentence is about those who have the matter. */
function subjectOf(sentence: string): string {
  const verb = TROUBLE.exec(sentence);
  if (!verb) return '';
  const words = sentence
    .slice(0, verb.index)
    .replace(/\s(?:in|on|at|of) (?:my|our) .*$/i, '')
    .replace(/^(?:most|many|some|few|our|my|the|all|lots of)\s+/i, '')
    .trim();
  return words.split(/\s+/).length <= 5 && isPlural(words) && !/[,.;:]/.test(words) && isSomebody(words.split(' ').at(-1) ?? '', 'en')
    ? tidy(words)
    : '';
}

/** People that an idea speaks of without saying that it is for them, as a plural: those who have the matter, not those they deal with. */
const CONCERNED = new Set(
  `household family couple parent mother father mom dad grandparent roommate flatmate housemate neighbour neighbor nurse doctor dentist therapist vet landlord teacher professor freelancer founder developer
  engineer designer photographer musician band artist writer author blogger podcaster streamer recruiter bookkeeper accountant lawyer electrician plumber contractor farmer beekeeper gardener chef driver commuter
  cyclist hiker runner traveller traveler expat volunteer collector gamer beginner caregiver carer pharmacist midwife restaurant bakery cafe bar hotel shop school church choir club coach studio salon gym clinic
  nonprofit charity startup agency brewery warehouse factory retailer publisher university kindergarten homeowner renter senior teenager toddler librarian translator tutor seamstress tailor carpenter`.split(
    /\s+/,
  ),
);

function mentionedIn(sentences: readonly string[]): string {
  for (const tokens of sentences.map((sentence) => tokenize(sentence))) {
    for (const [place, { word }] of tokens.entries()) {
      const singular = CONCERNED.has(word)
        ? word
        : word
            .replace(/ies$/, 'y')
            .replace(/(?<=ch)es$/, '')
            .replace(/s$/, '');
      if (!CONCERNED.has(singular)) continue;
      const next = tokens[place + 1];
      // "Restaurant bills" speaks of bills.
      const isHead = !next || next.opensClause || baseForm(next.word) !== undefined || AFTER_PEOPLE.test(next.word);
      if (isHead && (word !== singular || /^(?:an?|each|every|one|whole)$/.test(tokens[place - 1]?.word ?? ''))) return pluralOf(singular);
    }
  }
  return '';
}

const AFTER_PEOPLE =
  /^(?:and|or|who|that|to|can|could|should|will|would|is|are|in|on|at|with|without|for|from|when|what|how|so|which|of|by|the|an?|their|they|it|have|has|do|does|need|needs|want|wants|actually|really|already|often|never|always|out|up)$/;

function namedIn(sentence: string, language: string): string | undefined {
  if (/\bmarketplace (?:for|of)\b/i.test(sentence)) return undefined;
  for (const pattern of PHRASES.get(language) ?? []) {
    const everywhere = new RegExp(pattern.source, `${pattern.flags}g`);
    for (const match of sentence.matchAll(everywhere)) {
      const candidate = withoutVerb((match[1] ?? '').trim(), language);
      if (!/^(?:each|every)\s/i.test(candidate) && looksLikePeople(candidate, language)) return candidate;
    }
  }
  return undefined;
}

/** "Volunteers and nobody turns up": after this it is told what happens. */
const NEXT_CLAUSE = /\s+(?:and|but|so|yet) (?:nobody|no one|everybody|everyone|somebody|someone|nothing|it|they|we|i|he|she|there|then|still)\b.*$/i;

/** "Dentists fill cancelled appointments" names dentists. */
function withoutVerb(candidate: string, language: string): string {
  if (language !== 'en') return candidate;
  const words = candidate
    .replace(/\s+to\s.*$/i, '')
    .replace(NEXT_CLAUSE, '')
    .split(/\s+/);
  const end = words.findIndex((word, place) => place > 0 && baseForm(word) !== undefined && isPlural(words[place - 1] ?? ''));
  return words.slice(0, end < 0 ? undefined : end).join(' ');
}
