import { mapOf } from '#lib/map-of.ts';
import { collapseSpaces } from '#lib/text.ts';

/** Words for people and for the places where they work, as they begin, in the languages that are read. */
const PEOPLE = new RegExp(
  `(?<![\\p{L}])(?:(?:people|persons?|folks|anyone|everyone|m[ae]n|wom[ae]n|kids?|child|child?ren|toddlers?|babies|teen(?:ager)?s?|adults?|seniors?|parents?|mo?u?ms?|dads?|mothers?|fathers?|grandparents?|famil(?:y|ies)|
  couples?|partners?|flatmates?|roommates?|friends?|neighbou?rs?|households?|students?|pupils?|nurses?|doctors?|patients?|clinics?|hospitals?|vets?|freelancers?|agenc(?:y|ies)|studios?|shops?|stores?|restaurants?|cafes?|cafés?|baker(?:y|ies)|
  bars?|hotels?|hosts?|landlords?|tenants?|compan(?:y|ies)|startups?|businesses|teams?|firms?|charit(?:y|ies)|church(?:es)?|clubs?|coach(?:es)?|athletes?|bands?|artists?|clients?|crews?|chefs?|cooks?|staff|schools?|universit(?:y|ies)|
  farms?|museums?|librar(?:y|ies)|choirs?|warehouses?|brands?|cit(?:y|ies)|councils?|communit(?:y|ies)|diabetics|vegans?|expats?|refugees?|veterans?|[\\p{L}-]{3,}(?:ers|ors|ists|ians|eurs|eers|antes?|wives|men)|owner|manager|engineer|teacher|translator|farmer|beekeeper)
  |(?:familie|eltern|kinder|paare|leute|menschen|studierende|studenten|schüler|lehrer|besitzer|halter|fahrer|mieter|vermieter|firmen|betriebe|handwerker|vereine|gruppen|teams|ärzte|praxen|pflege|kund|gärtner|läufer|spieler|reisende|anfänger|freiberufler|selbstständige|unternehmen|restaurants|läden|winzer|landwirte|bauern|imker)
  |(?:familias?|padres?|madres?|niñ[oa]s|hijos|parejas|estudiantes|alumn[oa]s|profesor|dueñ[oa]s|propietari|conductor|inquilin|empresas|negocios|autónom|equipos|clientes|médic|pacientes|abuel|mayores|jóvenes|amig[oa]s|compañer|vecin|ganader|agricultor|enfermer|personas|gente|talleres|peluquer)
  |(?:enfants|parents|couples|étudiant|élèves|prof|propriétaire|locataire|entreprises|indépendant|équipes|médecins|patients|amis|voisin|débutant|artisan|boutiques|vigneron|agricult|éleveur|maraîch|infirmi|soignant|personnes|gens)
  |(?:pais|crianças|filhos|casais|aluno|professor|donos|motorista|autônom|idoso|vizinh|iniciante|lojas|pessoas|pecuarist)\\p{L}*)(?![\\p{L}])`.replaceAll(
    /\s*\n\s*/g,
    '',
  ),
  'giu',
);

const END = `(?=[,.;:!?()\\n–—]|$|\\s(?:that|which|where|so|because|to|then|with|without|it|when|while|but|using|via|by|instead|is|are|can|could|should|would|will|and|who|have|has|damit|die|der|das|weil|um|mit|wo|und|que|porque|con|y|qui|parce|avec|et|afin|com|onde|e)\\s)`;
const phrase = (lead: string): RegExp => new RegExp(`${lead}((?:[^\\s,.;:!?()]+\\s){0,5}?[^\\s,.;:!?()]+)${END}`, 'giu');

/** Whom it is said to be for; who says what they are. */
const NAMED = mapOf<RegExp>({
  en: phrase('\\b(?:for|aimed at|helps|connects)\\s'),
  de: phrase('\\b(?:für|hilft)\\s'),
  es: phrase('\\b(?:para|ayuda a)\\s'),
  fr: phrase('\\b(?:pour|aide)\\s'),
  pt: phrase('\\b(?:para|ajuda)\\s'),
});
const WRITER = mapOf<RegExp>({
  en: phrase("\\b(?:i['’]m|i am|we['’]re|we are|i run|we run|i own|we own|i manage|as)\\s(?=an?\\s|the\\s|\\d)"),
  de: phrase('\\b(?:ich bin|wir sind|ich betreibe|wir betreiben|ich leite)\\s(?=ein|eine|der|die|\\p{Lu})'),
  es: phrase('\\b(?:soy|somos|dirijo|regento)\\s'),
  fr: phrase('\\b(?:je suis|nous sommes|je tiens|je gère)\\s(?=une?\\s|\\p{L}+e[ur])'),
  pt: phrase('\\b(?:sou|somos|dirijo)\\s'),
});
const CLAUSE =
  /\b((?:people|anyone|those|parents|women|men|kids|students|owners|families|couples) (?:who|that are|with|whose|living in|without) [^.;:!?(),]{4,80})/iu;
const ARTICLES = /^(?:an?|the|my|our|all|any|some|every|eine?n?|die|den|der|un[ae]?|las?|los|el|les?|des|uma?|os?|as?)\s/iu;

export type TargetUser = { text: string; said: 'named' | 'writer' | 'not' };

/** Whom an idea is for, in its own words; nobody where it does not say. */
export function targetUserOf(sentences: readonly string[], language: string): TargetUser {
  const all = sentences.join('. ');
  const clause = language === 'en' ? CLAUSE.exec(all)?.[1] : undefined;
  if (clause) return { text: collapseSpaces(clause), said: 'named' };
  for (const [patterns, said] of [
    [NAMED, 'named'],
    [WRITER, 'writer'],
  ] as const) {
    const pattern = patterns.get(language);
    for (const [, words = ''] of pattern ? all.matchAll(pattern) : []) {
      const text = upToPeople(words) || (said === 'writer' ? upToCalling(words) : '');
      if (text !== '') return { text, said };
    }
  }
  return { text: '', said: 'not' };
}

/** "Dentists fill cancelled appointments" names dentists; what names nobody is empty. */
function upToPeople(words: string): string {
  const last = [...words.matchAll(PEOPLE)].at(-1);
  return last ? collapseSpaces(words.slice(0, last.index + last[0].length)).replace(ARTICLES, '') : '';
}

/** What somebody is, before where: "a piano tuner in Leeds". */
const CALLING =
  /^(?:an?|une?|eine?|un|una|uma?)?\s*((?:\p{L}+\s){0,2}\p{L}{2,}(?:er|or|ist|ian|eer|ant|eur|euse|in))(?:\s(?:in|at|from|near|of|aus|bei|en|de|à|em)\s|$)/iu;
const upToCalling = (words: string): string => CALLING.exec(words)?.[1] ?? '';
