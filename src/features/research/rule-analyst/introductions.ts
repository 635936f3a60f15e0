import { tokenize } from '#features/catalogue';
import { mapOf } from '#lib/map-of.ts';
import { baseForm, ofOthers } from './phrasing.ts';
import { isPeopleElsewhere, isSomebody, PLACES, tidy } from './somebody.ts';

const SELF_END = `(?=[,.;:!?(]|$|\\s(?:and|who|that|with|without|i|we|in|at|so|but|which|because|has|have|still|spends?|always|und|der|die|mit|ich|wir|habe|muss|will|bei|aus|y|que|con|me|no|siempre|en|desde|et|qui|avec|je|nous|à|dans|chez|e|com|eu|não|em|numa?)\\s)`;
const self = (lead: string): RegExp => new RegExp(`${lead}([^\\s,.;:!?()]+(?:\\s[^\\s,.;:!?()]+){0,5}?)${SELF_END}`, 'iu');
const SELVES = mapOf<readonly RegExp[]>({
  en: [
    self("\\b(?:i'm|i am|we're|we are) (?:an? |the )"),
    new RegExp(
      `\\b(?:i'm|i am|we're|we are) ((?:an? |\\d[\\d,.]* |(?:two|three|four|five|six|seven|eight|nine|ten|twelve) )?(?!(?:not|in|at|on|always|only|just|so|still|too|very|while|about|\\w+ing)\\b)(?:[\\w'-]+ ){1,8}?(?:${PLACES}|people|colleagues|friends|engineers|students|teachers|nurses|volunteers|researchers))(?=[,.;:!?()]|$|\\s(?:in|at|on|with|of|for|from|making|running|and|who|that|but)\\s)`,
      'iu',
    ),
    /^(?:[\w ]{0,25}\b(?:i|we) (?:need|want|do|wish) )?as an? ([^,.;:!?]{3,50}?)(?=[,:]|$|\s(?:who|that|with|of|in|at|i|we|i'd|we'd|my|our)\b)/iu,
    self('\\b(?:i|we) (?:run|own|manage|operate|lead|coach|work at|work for|work as) (?:an? |the |our |my )?'),
    new RegExp(`(?<!\\bfrom )\\b(?:my|our) ((?:[\\w-]+ ){0,2}(?:${PLACES}))\\b`, 'iu'),
    new RegExp(`\\bat (?:the|our|my) ((?:[\\w-]+ )?(?:${PLACES}))\\b`, 'iu'),
    new RegExp(`^((?:small |local |family |independent |tiny )?(?:[\\w-]+ ){0,2}(?:${PLACES}))(?=,)`, 'iu'),
  ],
  de: [
    self('\\b(?:ich bin|wir sind|als|ich betreibe|ich leite|ich führe|wir betreiben|wir leiten|wir führen) (?:eine?n? )?'),
    /\b(?:[Mm]eine?|[Uu]nsere?|unserem|unserer|meiner|meinem) (\p{Lu}\p{L}+)/u,
  ],
  es: [
    self(
      '\\b(?:soy|somos|administro|administramos|tengo|dirijo|dirigimos|gestiono|gestionamos|regento|regentamos|trabajo de|trabajo como) (?:una? )?',
    ),
    /\b(?:mi|nuestr[oa]) ((?:taller|tienda|empresa|negocio|clínica|restaurante|bar|equipo|escuela|estudio|consulta)\b)/iu,
  ],
  fr: [
    self('\\b(?:je suis|nous sommes|je tiens|nous tenons|je gère|nous gérons|je dirige|nous dirigeons|en tant que) (?:une? )?'),
    /\b(?:mon|ma|notre) ((?:atelier|boutique|entreprise|restaurant|école|équipe|cabinet|studio|ferme|association)\b)/iu,
  ],
  pt: [
    self('\\b(?:sou|somos|administro|administramos|dirijo|gerimos|tenho|trabalho como) (?:uma? )?'),
    /\b(?:meu|minha|nosso|nossa) ((?:loja|empresa|restaurante|clínica|equipe|escola|oficina|estúdio|negócio)\b)/iu,
  ],
});

/** What somebody says of themselves in the first person as their work or their possession. */
const DOING =
  /^(?:[^,.;:!?]{0,40},\s)?(?:i|we) (?:also |both |mostly |only )?((?:run|manage|own|organi[sz]e|sell|make|teach|coach|compose|shoot|grow|breed|keep|build|repair|restore|translate|design|photograph|cater|rent|lease|lead|chair|look after|work (?:as|in|at|for|on)|volunteer|study|train|brew|bake|farm|clean|groom|host|produce|import|export|ship|print|edit|publish|treat|install|supply|operate|handle)(?! (?:out|it|them|this|that|these|those|when|if|up|into|everything|my)\b) [^.;:!?()–—]{3,70}?)(?=[.;:!?()–—]|$|,\s|\s(?:and|but|so|because|which|where|while|when|since) (?:i|we|it|they|the|every|each|now|my|our|at|nobody|everyone|am|are|have|keep|then|also)\b)/iu;

const OF_WHAT =
  /\s(?:in|at|of|for|with|on|going|here|from|near|going solo|an der|in|im|bei|mit|dans|en|de|du|des|à|d['’]|avec|con|em|no|na|com|do|da)(?:\s|(?<=['’])).*$/iu;
/** A noun without what follows it: "tow operator" of "tow operator in Fresno". */
export const headOfPhrase = (text: string): string => text.replace(OF_WHAT, '');

/** Verbless openings: "Window cleaner, 480 houses", "Fazenda de gado em Goiás". */
const OPENING = /^([\p{L}\d][^.,;:!?()–—"„«]{3,70})(?=[.,;:!?()–—]|$)/u;
const LONGEST_OPENING = 9;
const SAID_OF_ONESELF =
  /\b(?:i|we|my|our|me|us|it|not|no|while|when|after|before|if|during|they|you|he|she|is|are|was|were|am|has|have|had|do|does|did|can|will|would|should|every|nobody|there|this|that|ich|wir|es|ist|sind|je|nous|on|est|sont|hay|somos|tengo|tenemos|eu|nós|temos)\b|['’](?:s|re|m|ve|d|ll)\b/iu;
const MORE_PEOPLE =
  /\b(?:lady|lead|head|dad|mum|mom|nan|solo|ops|sub|guy|bloke|cathedral|council|insurer|grocer|winery|couple|widow|pensioner|retiree|clerk|chair|secretary|treasurer|nanny|au pair)\b/i;

/** Who the writer is, as they say it of themselves; empty when they do not. */
export const writerIn = (sentences: readonly string[], language: string): string =>
  selfIn(sentences, language) || introductionIn(sentences, language);

const LONGEST_INTRODUCTION = 8;
/** "Small trucking firm, 12 trucks" says who speaks and nothing else. */
export const onlyIntroduces = (sentence: string, language: string): boolean =>
  sentence.split(' ').length <= LONGEST_INTRODUCTION && writerIn([sentence], language) !== '';

function selfIn(sentences: readonly string[], language: string): string {
  for (const pattern of SELVES.get(language) ?? []) {
    for (const sentence of sentences) {
      const found = pattern.exec(sentence)?.[1];
      if (found && tidy(found).split(' ').length <= 6 && isSomebody(found, language)) return tidy(found);
    }
  }
  return '';
}

/** How somebody introduces themselves without saying for whom the idea is: by what they are, or by what they do. */
function introductionIn(sentences: readonly string[], language: string): string {
  const opening = OPENING.exec(sentences[0] ?? '')?.[1] ?? '';
  const head = headOfPhrase(opening);
  const isShort = opening.split(/\s+/).length <= LONGEST_OPENING && head.split(/\s+/).length <= 5;
  if (isShort && !SAID_OF_ONESELF.test(opening) && isIntroduction(head, language)) return tidy(opening.replace(/\s+here$/i, ''));
  if (language !== 'en') return '';
  const doing = sentences
    .slice(0, 3)
    .map((sentence) => DOING.exec(sentence)?.[1] ?? '')
    .find(Boolean);
  return doing ? `people who ${ofOthers(tidy(doing))}` : '';
}

function isIntroduction(head: string, language: string): boolean {
  if (language !== 'en')
    return isPeopleElsewhere(
      head,
      tokenize(head).map(({ word }) => word),
    );
  const last = tokenize(head).at(-1)?.word ?? '';
  return last !== '' && baseForm(last) === undefined && (isSomebody(last, 'en') || MORE_PEOPLE.test(head));
}
