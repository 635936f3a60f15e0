import { termsOf } from '#features/catalogue';
import { mapOf } from '#lib/map-of.ts';
import { collapseSpaces, shorten } from '#lib/text.ts';
import { onlyIntroduces } from './introductions.ts';
import type { Roles } from './roles.ts';

const LONGEST = 220;

/** What hurts, said outright; the number is how plainly. */
const PAINS = mapOf<readonly (readonly [RegExp, number])[]>({
  en: [
    [
      /\b(?:lost|lose|losing|late|broken|missing|stuck|scattered|by hand|on paper|paperwork|copy|retype|different places|sit in|chasing|drown\w*|piles? up|no overview|spreadsheets?|double.?book\w*|guess\w*|blind|unread|out of date|maddening|ashamed|fear|afraid)\b/i,
      1.2,
    ],
    [/\b(?:i|we|they|people|everyone|my \w+) (?:really |always |absolutely )?(?:hate|loathe|dread|struggle|suffer)/i, 3],
    [/\b(?:tired|sick|fed up|exhausted) (?:of|with)\b|\bdriv(?:es|ing) (?:me|us) (?:crazy|mad|nuts)/i, 3],
    [/\b(?:problem|pain|issue|trouble|challenge|frustration) (?:is|with|for|that)\b|\bpain point/i, 3],
    [
      /\b(?:always|constantly|keep|keeps|often|never|every time|end up|ends up) (?:\w+ ){0,2}(?:forget|forgets|forgetting|los(?:e|es|ing)|miss|misses|missing|buy|buys|buying|run|runs|running|fight|argue|arguing|waste|know|knows|find|remember|get|have|late|die)/i,
      2.5,
    ],
    [
      /\b(?:forget|forgets|forgetting|forgotten|waste|wastes|wasting|wasted|overwhelm\w*|frustrat\w*|annoy\w*|confus\w*|stress\w*|painful|tedious|nightmare|chaos|chaotic|mess|messy|embarrass\w*|lonely|afraid|scared|argue|arguing|fight)\b/i,
      2,
    ],
    [
      /\b(?:hard|difficult|impossible|tricky|annoying|expensive|slow|complicated|time.consuming|a pain) to\b|\btoo (?:expensive|slow|hard|complicated|many|much|long|late)\b/i,
      2,
    ],
    [
      /\b(?:can't|cannot|can not|couldn't|don't know|doesn't know|have no idea|no one knows|nobody knows|nobody|no one|no way to|don't have|there is no|there's no|without knowing|never know)\b/i,
      2,
    ],
    [
      /\b(?:takes|spend|spends|spending|costs?|loses?|wast\w+|waits?|waited|waiting) (?:\w+ ){0,3}(?:hours?|days?|weeks?|months?|time|money|minutes|evenings?)\b/i,
      2.5,
    ],
    [
      /\b(?:do(?:es)? not|don't|doesn't|did not|didn't|won't|never) (?:turn up|show up|come|pay|work|fit|match|answer|reply|arrive|care|remember)\b/i,
      2,
    ],
    [/\bthrow\w* away\b|\bfor (?:weeks|months|ages)\b|\bat risk\b|\btoo late\b|\b(?:goes|go|went) (?:missing|bad|wrong)\b/i, 1.5],
    [/\b(?:because|since)\b/i, 1],
    [/\b(?:instead of|no more|rather than|so (?:that )?(?:\w+ )?(?:don't|never|no longer|nobody)|avoid|(?<=\S )stop)\b/i, 1],
    [/\b(?:we|i|they) (?:always|never|still|keep)\b/i, 1],
  ],
  de: [
    [/\b(?:hasse|hassen|nervt|nerven|ärger\w*|genervt|leid|satt|mühsam|umständlich|frust\w*|stress\w*|chaos)\b/i, 3],
    [
      /\b(?:vergess\w*|vergisst|verlier\w*|verpass\w*|verschwend\w*|weggeworfen|wegwerfen|wegschmeißen|streiten|sterben|eingehen|doppelt|zettel\w*)\b/i,
      2.5,
    ],
    [
      /\b(?:ständig|immer|nie|niemand|keiner|jedes mal|schwer|schwierig|unmöglich|zu (?:teuer|kompliziert|viel|lange|spät)|weiß nicht|kein\w* überblick|keine zeit|problem)\b/i,
      1.5,
    ],
    [/\b(?:weil|da)\b/i, 1],
  ],
  es: [
    [/\b(?:odio|odiamos|hart[oa]s?|cansad[oa]s?|molesta|frustra\w*|estrés|caos|lío|problema|pesadilla)\b/i, 3],
    [
      /\b(?:olvid\w*|pierd\w*|perd\w*|desperdici\w*|discut\w*|pele\w*|se mueren|dos veces|a la basura|no (?:aparecen?|vienen?|se presentan?|llegan?|pagan?|funcionan?))\b/i,
      2.5,
    ],
    [/\b(?:siempre|nunca|nadie|difícil|imposible|complicado|demasiad[oa]|no (?:sé|sabemos|sabe|saben|puedo|podemos|hay|tengo|tenemos))\b/i, 1.5],
    [/\bporque\b/i, 1],
  ],
  fr: [
    [/\b(?:déteste|détestons|marre|fatigué|énerve|frustr\w*|stress\w*|chaos|galère|problème|cauchemar)\b/i, 3],
    [
      /\b(?:oubli\w*|perd\w*|gaspill\w*|disput\w*|meurent|en double|rat(?:e|ons|er)|jet(?:te|tent|tons|er)|à la poubelle|ne (?:viennent|vient|paient|paie|répond|répondent) (?:pas|jamais))\b/i,
      2.5,
    ],
    [/\b(?:toujours|jamais|personne|difficile|impossible|compliqué|trop|ne (?:sait|sais|savons|peut|peux|trouve)|impossible)\b/i, 1.5],
    [/\bparce qu/i, 1],
  ],
  pt: [
    [/\b(?:odeio|odiamos|cansad[oa]s?|fart[oa]s?|irrita\w*|frustra\w*|estresse|stress|caos|problema|pesadelo)\b/i, 3],
    [
      /\b(?:esque[cç]\w*|perd\w*|desperdiç\w*|brig\w*|morrem|duas vezes|jog(?:a|am|amos|ar) fora|deit(?:a|am|amos|ar) fora|no lixo|não (?:aparecem?|vêm|pagam?|respondem?|funcionam?|chegam?))\b/i,
      2.5,
    ],
    [/\b(?:sempre|nunca|ninguém|difícil|impossível|complicado|demais|não (?:sei|sabemos|sabe|sabem|consigo|conseguimos|tem|tenho|temos))\b/i, 1.5],
    [/\bporque\b/i, 1],
  ],
});

const KINDS =
  'app|apps|application|tool|platform|website|web ?site|site|service|software|system|bot|chatbot|assistant|extension|plugin|plug-in|marketplace|product|dashboard|api|library|sdk|saas|device|program|network|portal|database|cli|something|smth|thing|one';
const KINDS_ELSEWHERE =
  'app|apps|anwendung|programm|plattform|werkzeug|tool|dienst|webseite|website|software|assistent|aplicación|plataforma|herramienta|sitio|servicio|programa|application|appli|plateforme|outil|service|logiciel|site|aplicativo|ferramenta|serviço|sistema';

const SOLUTIONS = mapOf<readonly RegExp[]>({
  en: [
    new RegExp(
      `\\b(?:${KINDS})\\b(?: for [^.;:!?]{3,60}?)?,? (?:that|which|who|where|to|so(?: that)?|for|with) (?:would |could |should |can |will |lets? (?:me|you|us|people|users) |helps? (?:me|you|us|people|users) (?:to )?|allows? (?:me|you|us|people|users) to )?([^.;!?]{6,})`,
      'i',
    ),
    /\b(?:i|we) (?:want|need|wish|would like|'d like|plan|am going|are going|am building|are building|'m building|'re building) (?:to |for )?(?:build |make |create |develop |launch |have )?(?:an? |the |some )?([^.;!?]{8,})/i,
    /\b(?:it|this|that|the app|the tool|the platform|the system) (?:should|would|could|will|can|must|needs to|has to) (?:also |just |automatically )?([^.;!?]{6,})/i,
    /^(?:it|this|that|the app|the tool|the platform) ((?:automatically )?[a-z]+s\b [^.;!?]{6,})/i,
    /\b(?:lets|helps|allows) (?:me |you |us |them |people |users |\w+ )(?:to )?([^.;!?]{6,})/i,
  ],
});
const ELSEWHERE = [
  new RegExp(
    `\\b(?:${KINDS_ELSEWHERE})\\b,? (?:(?:die|das|der|mit der|womit|um|que|para|con la que|donde|de|qui|pour|où|avec|com|onde)) ([^.;!?]{6,})`,
    'iu',
  ),
  /\b(?:ich (?:will|möchte|hätte gerne|brauche)|wir (?:wollen|brauchen|möchten)|quiero|queremos|necesito|me gustaría|je (?:veux|voudrais)|nous voulons|il faudrait|quero|queremos|preciso|gostaria)(?: de)? ([^.;!?]{8,})/iu,
];

export type Part = { text: string; /** 0 to 1: how plainly it is said. */ clarity: number };

/** What hurts, as the text says it; a situation told before a wish counts although it names no pain. Empty when neither is there. */
export function problemOf(roles: Roles, language: string): Part {
  let best = { text: '', points: 0 };
  for (const [sentences, bonus] of [
    [roles.situation, 1],
    [roles.wishes, 0],
  ] as const) {
    for (const part of sentences.flatMap(painClauses)) {
      const points = painPoints(part, language) + (bonus > 0 && painPoints(part, language) > 0 ? bonus : 0);
      if (points > best.points) best = { text: part, points };
    }
  }
  const situation = roles.situation.filter((sentence) => !onlyIntroduces(sentence, language));
  // Where nothing is wished for, what follows the introduction tells how it is.
  const lines = roles.situation.length > 0 && situation.length === 0 && !roles.isWished ? roles.wishes : situation;
  const told = [...lines].sort((left, right) => termsOf(right).length - termsOf(left).length)[0];
  if (best.points >= 1) return { text: shorten(stripLead(best.text), LONGEST), clarity: best.points >= 2 ? 1 : 0.5 };
  return told && termsOf(told).length >= 2 ? { text: shorten(stripLead(told), LONGEST), clarity: 0.75 } : { text: '', clarity: 0 };
}

function painClauses(sentence: string): string[] {
  const cut = /^(.*?)[,\s]+((?:because|since|weil|porque|parce qu[e']?|damit|so that)\b.*)$/isu.exec(sentence);
  const parts = cut ? [cut[1] ?? '', cut[2] ?? ''] : [sentence];
  return [...parts, ...sentence.split(/[,;:–—]\s+/)].map(collapseSpaces).filter((part) => part.split(' ').length >= 4);
}

const PROMISE = new RegExp(
  `\\b(?:${KINDS})\\b (?:that|which|to|for|where)|^(?:let|one place|tell|remind)\\b|\\b(?:i|we)(?:'d| would| want| need)\\b`,
  'i',
);

function painPoints(part: string, language: string): number {
  const patterns = PAINS.get(language) ?? PAINS.get('en') ?? [];
  const points = patterns.reduce((sum, [pattern, weight]) => sum + (pattern.test(part) ? weight : 0), 0);
  // Between two clauses that say as much, the shorter one says it more plainly.
  return points === 0 ? 0 : points - (PROMISE.test(part) ? 2 : 0) - part.length / 2000;
}

/** Who tells it is said elsewhere: "I'm a translator and half my invoices are paid late". */
const INTRODUCTION = /^(?:i['’]?m|i am|we['’]?re|we are|as) (?:an? |the )?[^,.;:!?]{3,60}?(?:,(?: and| but)?| and| but) (?=(?:\S+ ){4})/i;

const stripLead = (text: string): string =>
  text
    .replace(INTRODUCTION, '')
    .replace(/^for ((?:\w+ ){1,3})(?:who|that) /i, '$1')
    .replace(
      /^(?:the )?(?:problem|pain|issue) (?:is|being)(?: that)?[\s:,]*|^(?:because|since|so that|so|weil|damit|porque|para que|parce qu['e]?|afin que|and|but|that|where|who)\s+/iu,
      '',
    );

/** What is to be built, as the text says it. */
export function solutionOf({ wishes }: Roles, language: string): Part {
  const patterns = [...(SOLUTIONS.get(language) ?? []), ...(language === 'en' ? [] : ELSEWHERE)];
  const first = wishes.map((wish) => {
    const found = patterns.map((pattern) => pattern.exec(wish)?.[1] ?? '').find((text) => termsOf(text).length >= 2);
    return withoutReason((found ?? wish).replace(WISH_LEAD, ''))
      .replace(/^(people|users|guests|customers|everybody|everyone) to /i, '$1 ')
      .replace(/^them to /i, 'they ');
  });
  const text = first.filter((wish) => termsOf(wish).length > 0).join('; ') || (wishes[0] ?? '');
  return { text: shorten(text.replace(/^(?:it|this|that) (?=(?:in|on|at|to|with|from|as)\b)/i, ''), LONGEST), clarity: clarityOf(text) };
}

const WISH_LEAD =
  /^(?:so )?(?:(?:i|we)(?:'d| would)(?: like| love)?(?: to)? (?!a\b)|(?:i|we) (?:really |just )?(?:want|need|wish)(?: to| for| it to| that)? |(?:want|need|wanna|goal|idea|solution)\s*[:=]?\s*(?:to )?|(?:ich|wir) (?:will|wollen|möchten?|brauchen?|hätten? gern\w*) |(?:quiero|queremos|necesito|me gustaría|queria|quero|gostaria de|preciso de) (?:que )?|(?:je (?:veux|voudrais)|nous voulons|il faudrait) (?:que )?|que )/iu;

const withoutReason = (text: string): string => {
  const cut = text.replace(/[,\s]+(?:because|since (?:i|we|they|my|our|there|nobody|it)|weil|porque|parce qu)\b.*$/isu, '');
  return collapseSpaces(cut.length >= 12 ? cut : text);
};

const clarityOf = (text: string): number => {
  const terms = termsOf(text).length;
  if (terms >= 5) return 1;
  if (terms >= 3) return 0.75;
  return terms >= 2 ? 0.5 : 0.25;
};
