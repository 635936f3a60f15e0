import { tokenize } from '#features/catalogue';
import { collapseSpaces } from '#lib/text.ts';
import { baseForm } from './phrasing.ts';

const PEOPLE_WORDS =
  `people person persons folks anyone everyone those men women man woman guys kids kid children child toddlers babies teens teenagers teenager adults seniors elderly
  parents parent moms mom mums mum dads dad mothers fathers grandparents grandparent grandma grandpa families family couples couple partners roommates flatmates housemates
  friends neighbors neighbours households household students student pupils teachers professors classes schools school nurses nurse doctors patients clinics clinic hospitals
  dentists therapists vets owners owner freelancers agencies agency studios shops shop stores store restaurants restaurant cafes bakeries bars hotels hosts landlords tenants
  companies company startups startup businesses business teams team firms firm smbs smes enterprises nonprofits charities churches clubs club coaches athletes runners players fans
  musicians bands artists makers writers authors readers bloggers creators podcasters youtubers streamers influencers photographers designers developers devs engineers programmers
  founders marketers recruiters managers salespeople reps clients customers accountants bookkeepers lawyers electricians plumbers contractors tradespeople builders farmers
  beekeepers gardeners cooks chefs drivers commuters cyclists hikers travelers travellers tourists expats immigrants refugees volunteers veterans collectors gamers
  beginners amateurs professionals experts employees workers staff employers crews drinkers smokers addicts diabetics vegans vegetarians singles newlyweds brides organizers organisers
  administrators admins operators technicians mechanics tutors learners researchers scientists journalists translators caregivers carers pharmacists midwives sellers buyers shoppers
  donors members residents citizens voters communities cities municipalities warehouses factories manufacturers suppliers retailers brands publishers universities colleges
  bachelors introverts adhd autistic dyslexic blind deaf me us myself ourselves dog cat pet boat car home homeowners renters`.split(/\s+/);
const PEOPLE = new Set(PEOPLE_WORDS);
const NOT_PEOPLE = new Set(
  'numbers orders offers letters papers reminders folders calendars computers servers containers stickers layers filters headers timers trackers computers dinners weathers covers'.split(
    ' ',
  ),
);
const AGENT = /(?:ers|ors|ists|ians|eurs|ants|ents|eers)$/;

/** End of a noun phrase in the languages that are read. */
const STOP = `(?=[,.;:!?()]|$|\\s(?:that|which|where|so|because|to|and then|then|with|without|it|when|while|but|using|via|by|instead|is|are|can|could|should|would|will|based|from|as|on|through|like|damit|die|der|das|weil|um|mit|wo|que|para que|porque|con|donde|qui|parce|pour que|avec|afin|com|onde|de modo)\\s)`;
const phrase = (lead: string): RegExp => new RegExp(`${lead}([^\\s,.;:!?()]+(?:\\s[^\\s,.;:!?()]+){0,6}?)${STOP}`, 'iu');
const clause = (lead: string): RegExp => new RegExp(`(${lead}[^.;:!?()]{4,90}?)(?=[.;:!?()]|$|,\\s)`, 'iu');

const CLAUSES: Readonly<Record<string, readonly RegExp[]>> = {
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
};
const PHRASES: Readonly<Record<string, readonly RegExp[]>> = {
  en: [phrase('\\b(?:for|aimed at|targeting|targeted at|helps?|helping|between|connects?|connecting)\\s+')],
  de: [phrase('\\b(?:für|hilft)\\s+')],
  es: [phrase('\\b(?:para|ayuda a)\\s+')],
  fr: [phrase('\\b(?:pour|aide)\\s+')],
  pt: [phrase('\\b(?:para|ajuda)\\s+')],
};
const SELF_END = `(?=[,.;:!?(]|$|\\s(?:and|who|that|with|without|i|we|in|at|so|but|which|because|has|have|still|spends?|always|und|der|die|mit|ich|wir|habe|muss|will|y|que|con|me|no|siempre|et|qui|avec|je|nous|e|com|eu|não)\\s)`;
const self = (lead: string): RegExp => new RegExp(`${lead}([^\\s,.;:!?()]+(?:\\s[^\\s,.;:!?()]+){0,5}?)${SELF_END}`, 'iu');
const PLACES = `bar|band|bistro|bakery|boutique|brand|brewery|business|cafe|café|camp|charity|choir|church|clinic|club|company|co-?op|department|farm|firm|garage|group|gym|hospital|hostel|hotel|kindergarten|lab|library|museum|nonprofit|nursery|office|orchestra|organi[sz]ation|parish|practice|restaurant|salon|school|shelter|shop|startup|store|studio|team|theatre|town|warehouse|workshop|yard`;
const SELVES: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    self("\\b(?:i'm|i am|we're|we are) (?:an? |the )"),
    self('^as an? '),
    self('\\b(?:i|we) (?:run|own|manage|operate|lead|teach|coach|work at|work for|work as) (?:an? |the |our |my )?'),
    new RegExp(`\\b(?:my|our) ((?:[\\w-]+ ){0,2}(?:${PLACES}))\\b`, 'iu'),
    new RegExp(`\\bat (?:the|our|my) ((?:[\\w-]+ )?(?:${PLACES}))\\b`, 'iu'),
    new RegExp(`^((?:small |local |family |independent |tiny )?(?:[\\w-]+ ){0,2}(?:${PLACES}))(?=,)`, 'iu'),
  ],
  de: [
    self('\\b(?:ich bin|wir sind|als|ich betreibe|ich leite|wir betreiben) (?:eine?n? )?'),
    /\b(?:[Mm]eine?|[Uu]nsere?|unserem|unserer|meiner|meinem) (\p{Lu}\p{L}+)/u,
  ],
  es: [
    self('\\b(?:soy|somos|administro|tengo|dirijo|trabajo de|trabajo como) (?:una? )?'),
    /\b(?:mi|nuestr[oa]) ((?:taller|tienda|empresa|negocio|clínica|restaurante|bar|equipo|escuela|estudio|consulta)\b)/iu,
  ],
  fr: [
    self('\\b(?:je suis|nous sommes|je tiens|je gère|je dirige|en tant que) (?:une? )?'),
    /\b(?:mon|ma|notre) ((?:atelier|boutique|entreprise|restaurant|école|équipe|cabinet|studio|ferme|association)\b)/iu,
  ],
  pt: [
    self('\\b(?:sou|somos|administro|tenho|trabalho como) (?:uma? )?'),
    /\b(?:meu|minha|nosso|nossa) ((?:loja|empresa|restaurante|clínica|equipe|escola|oficina|estúdio|negócio)\b)/iu,
  ],
};
const RELATIVE_WORDS = `wife husband partner mom mum mother dad father parents grandma grandmother grandpa kids children son daughter team students
  clients patients customers employees roommates flatmates family frau mann mutter vater eltern oma opa kinder familie kunden
  mitarbeiter schüler mitbewohner esposa marido madre padre padres abuela hijos familia clientes alumnos femme mari mère père
  enfants famille élèves mulher mãe pai avó filhos família alunos`.split(/\s+/);
const RELATIVES = new RegExp(
  `\\b(?:my|our|mein|meine|meinen|unsere|mi|mis|nuestros|mon|ma|mes|nos|meu|minha|meus)\\s+(?:${RELATIVE_WORDS.join('|')})(?![\\p{L}])`,
  'iu',
);
const PRONOUNS = new Set('me us you them it myself ourselves those anyone anybody everyone everybody someone'.split(' '));
const INFINITIVE: Readonly<Record<string, RegExp>> = {
  es: /(?:ar|er|ir)(?:se|lo|la|los|las|nos|me|le|les)?$/i,
  fr: /(?:er|ir|re|oir)$/i,
  pt: /(?:ar|er|ir|or)(?:-se)?$/i,
};
const ARTICLES =
  /^(?:a|an|the|my|our|your|their|all|any|some|other|every|each|den|die|das|der|dem|alle|meine|unsere|los|las|el|la|mis|les|le|mes|tous les|des|os|as|o|meus|busy)\s+/i;

/** "People who bake at home | want to swap starters": what follows their description is said of them. */
const MAIN_VERB =
  /(?<=^\S+ (?:(?:who|that) \S+ \S|(?:with|in|without|living|working) \S).*)\s(?:wants?|needs?|wish(?:es)?|would|struggles?|forgets?|loses?|cannot|can't|don't|often|never|always|have no|end up|should|must)\s.*$/i;

export type TargetUser = {
  text: string;
  /** How it was said: outright, about the writer, in passing, or not at all. */ said: 'named' | 'writer' | 'mentioned' | 'not';
};

/** Whom the idea is for, in its own words. */
export function targetUserOf(sentences: readonly string[], language: string): TargetUser {
  for (const pattern of CLAUSES[language] ?? []) {
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
  for (const pattern of SELVES[language] ?? []) {
    for (const sentence of sentences) {
      const found = pattern.exec(sentence)?.[1];
      if (found && tidy(found).split(' ').length <= 6 && isSomebody(found, language)) return { text: tidy(found), said: 'writer' };
    }
  }
  const subject = language === 'en' ? subjectOf(sentences[0] ?? '') : '';
  if (subject) return { text: subject, said: 'named' };
  const relative = /\b(?:her|him|she|he|them|their|ihr|ihm|ihn|le|les|lui|ele|ela|dele|dela)\b/i.test(sentences.slice(1).join(' '))
    ? RELATIVES.exec(all)?.[0]
    : undefined;
  if (relative) return { text: tidy(relative), said: 'writer' };
  const mentioned = language === 'en' ? mentionedIn(sentences) : '';
  return mentioned ? { text: mentioned, said: 'mentioned' } : { text: '', said: 'not' };
}

const TROUBLE =
  /\s(?:(?:always|often|still|never|constantly|usually|really|regularly) )?(?:spends?|loses?|wastes?|forgets?|struggles?|drowns?|miss(?:es)?|hates?|juggles?|fights?|guess(?:es)?|chases?|type|copy|write|re-?write|end up|run out|cannot|can't|don't|do not|have (?:no|to)|need|want|find it|worry|argue|suffer|rely|wait|search|throw|burn|pay|buy|get|keep|leave|work|track|manage|plan|sell|cook|teach|post|record|print|fear|dread|skip|give up|must|report|call|ask|send|visit|drive|see|hear|know|use|swap|lend|run|come|meet|try|look|learn|read|order|ship|deliver|build|draw|play|train|travel|walk|carry|collect|apply|join|answer|complain)\b/i;

/** "Small law firms lose hours …": the first sentence is about those who have the matter. */
function subjectOf(sentence: string): string {
  const verb = TROUBLE.exec(sentence);
  if (!verb) return '';
  const words = sentence
    .slice(0, verb.index)
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

const pluralOf = (word: string): string => (/[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : word.endsWith('ch') ? `${word}es` : `${word}s`);

function namedIn(sentence: string, language: string): string | undefined {
  if (/\bmarketplace (?:for|of)\b/i.test(sentence)) return undefined;
  for (const pattern of PHRASES[language] ?? []) {
    const everywhere = new RegExp(pattern.source, `${pattern.flags}g`);
    for (const match of sentence.matchAll(everywhere)) {
      const candidate = withoutVerb((match[1] ?? '').trim(), language);
      if (looksLikePeople(candidate, language)) return candidate;
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

const isPlural = (word: string): boolean => /s$/i.test(word) || /^(?:people|men|women|children|staff|folks)$/i.test(word);

const PLACE = new RegExp(`\\b(?:${PLACES})s?\\b`, 'i');
const isSomebody = (found: string, language: string): boolean =>
  language !== 'en' ||
  PLACE.test(found) ||
  tokenize(found).some(
    ({ word }) =>
      PEOPLE.has(word) ||
      PEOPLE.has(`${word}s`) ||
      (/(?:er|or|ist|ian|eur|ant|ent|eer|wife)s?$/.test(word) && word.length > 5 && !NOT_PEOPLE.has(`${word}s`)),
  );

function looksLikePeople(candidate: string, language: string): boolean {
  const words = tokenize(candidate).map(({ word }) => word);
  const [first] = words;
  if (!first || words.length > 7) return false;
  if (INFINITIVE[language]?.test(first)) return false;
  if (PRONOUNS.has(first) || PRONOUNS.has(words.at(-1) ?? '')) return false;
  if (language !== 'en') return /\p{L}{3}/u.test(candidate) && isPeopleElsewhere(candidate, words);
  const head = words.slice(0, 4);
  return head.some((word) => PEOPLE.has(word) || PEOPLE.has(`${word}s`) || (AGENT.test(word) && !NOT_PEOPLE.has(word) && word.length > 5));
}

/** Parts of words for people and their firms in the other languages that are read. */
const ELSEWHERE = new RegExp(
  `familie eltern kinder paar leute menschen student schüler lehrer besitzer halter fahrer mieter vermieter firmen betrieb
  handwerker verein gruppe team arzt ärzte praxe praxis pfleg kund gärtner läufer spieler reise wg wgs anfänger freiberufler
  selbstständig unternehm restaurant café laden läden famil padre madre niñ hijo pareja estudiant alumno profesor dueñ propietari
  conductor inquilin empresa negocio autónom freelance equipo client médic pacient abuel mayores jóvenes amig compañer vecin
  enfant parent couple étudiant élève prof propriétaire locataire entreprise indépendant équipe médecin patient âgé ami coloc
  voisin débutant artisan boutique vigneron agricult éleveur maraîch viticult infirmi soignant winzer landwirt bauer imker kita erzieher pflegekr
  ganader agricultor viticultor enfermer cuidador pecuarist pais criança filho casa[il] estudante aluno professor dono motorista inquilino autônom equipe
  médico idoso vizinh iniciante loja eur$ euse$ eurs$ istas?$ dor(?:es)?$ innen$`
    .split(/\s+/)
    .join('|'),
  'iu',
);
const isPeopleElsewhere = (candidate: string, words: readonly string[]): boolean => words.length <= 6 && ELSEWHERE.test(candidate);

function tidy(found: string): string {
  const flat = collapseSpaces(found)
    .replace(/[\s,;:.!?-]+$/u, '')
    .replace(/\s+(?:and|or|to|the|a|of|in|on|at|und|y|et|e|de|who|that)$/iu, '');
  const bare = flat.replace(ARTICLES, '');
  return bare.length > 2 ? bare : flat;
}
