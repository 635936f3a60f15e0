import { tokenize } from '#features/catalogue';
import { mapOf } from '#lib/map-of.ts';
import { collapseSpaces } from '#lib/text.ts';

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
  'afters calendars ciders colors computers containers covers dinners errors fevers filters floors folders headers lasers laters layers letters liters lowers meters motors nevers numbers offers orders others papers powers reminders rivers rotors sensors servers stickers supers timers towers trackers unders waters weathers'.split(
    ' ',
  ),
);
/** "Payments" are nobody. */
const AGENT = /(?:ers|ors|ists|ians|eurs|ants|(?<!m)ents|eers)$/;
/** Where people work or meet, for those who do. */
export const PLACES = `academy|association|bar|band|bistro|blood bank|bookshop|bookstore|bakery|boutique|brand|brewery|business|cafe|café|camp|charity|choir|church|clinic|club|college|company|consultancy|co-?op|cooperative|daycare|dealership|department|dojo|farm|federation|firm|food bank|food pantry|foundation|funeral home|garage|group|gym|hospice|hospital|hostel|hotel|institute|kennel|kindergarten|care home|nursing home|lab|library|museum|nonprofit|nursery|office|orchestra|organi[sz]ation|parish|pharmacy|plant|practice|pub|restaurant|salon|school|shelter|shop|soup kitchen|startup|store|studio|supermarket|team|theatre|town|university|venue|vineyard|ward|warehouse|winery|workshop|yard`;
const PLACE = new RegExp(`\\b(?:${PLACES})s?\\b`, 'i');

export const isPlural = (word: string): boolean => /s$/i.test(word) || /^(?:people|men|women|children|staff|folks)$/i.test(word);

export const pluralOf = (word: string): string =>
  /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : word.endsWith('ch') ? `${word}es` : `${word}s`;

export const isPlace = (found: string): boolean => PLACE.test(found);

/** Whether words name somebody; in another language than English they are taken to. */
export const isSomebody = (found: string, language: string): boolean =>
  language !== 'en' ||
  isPlace(found) ||
  tokenize(found).some(
    ({ word }) =>
      PEOPLE.has(word) ||
      PEOPLE.has(`${word}s`) ||
      (/(?:er|or|ist|ian|eur|ant|(?<!m)ent|eer|wife)s?$/.test(word) && word.length > 4 && !NOT_PEOPLE.has(word) && !NOT_PEOPLE.has(`${word}s`)),
  );

const PRONOUNS = new Set('me us you them it myself ourselves those anyone anybody everyone everybody someone'.split(' '));
const INFINITIVE = mapOf<RegExp>({
  es: /(?:ar|er|ir)(?:se|lo|la|los|las|nos|me|le|les)?$/i,
  fr: /(?:er|ir|re|oir)$/i,
  pt: /(?:ar|er|ir|or)(?:-se)?$/i,
});

/** "A ticket for the right team" is for no kind of team. */
const ANY_OF_THEM = /^(?:the |an? )?(?:right|wrong|same|next|first|last|whole|entire|responsible|relevant|other)\s\S+$/i;

/** Whether a phrase after "for" names people. */
export function looksLikePeople(candidate: string, language: string): boolean {
  const words = tokenize(candidate).map(({ word }) => word);
  const [first] = words;
  if (!first || words.length > 7 || ANY_OF_THEM.test(candidate)) return false;
  if (INFINITIVE.get(language)?.test(first)) return false;
  if (PRONOUNS.has(first) || PRONOUNS.has(words.at(-1) ?? '')) return false;
  if (language !== 'en') return /\p{L}{3}/u.test(candidate) && isPeopleElsewhere(candidate, words);
  if (isPlace(words.at(-1) ?? '')) return true;
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
export const isPeopleElsewhere = (candidate: string, words: readonly string[]): boolean => words.length <= 6 && ELSEWHERE.test(candidate);

const ARTICLES =
  /^(?:a|an|the|my|our|your|their|all|any|some|other|every|each|den|die|das|der|dem|alle|meine|unsere|los|las|el|la|mis|les|le|mes|tous les|des|os|as|o|meus|busy)\s+/i;

/** A phrase without its article and what is left over at its ends. */
export function tidy(found: string): string {
  const flat = collapseSpaces(found)
    .replace(/[\s,;:.!?-]+$/u, '')
    .replace(/\s+(?:and|or|to|the|a|of|in|on|at|und|y|et|e|de|who|that)$/iu, '');
  const bare = flat.replace(ARTICLES, '');
  return bare.length > 2 ? bare : flat;
}
