import { termsOf } from '#features/catalogue';
import { mapOf } from '#lib/map-of.ts';
import { shorten } from '#lib/text.ts';
import type { Roles } from './roles.ts';

const LONGEST = 220;

/** What hurts, said outright. */
const PAINS = mapOf<RegExp>({
  en: /\b(?:lost|los(?:e|es|ing)|forg[eo]t\w*|miss(?:es|ed|ing)?|wast\w+|late|broken|stuck|by hand|on paper|chasing|hate|struggl\w+|tired of|fed up|sick of|problem|pain|nightmare|chaos|mess|annoy\w*|frustrat\w*|tedious|hard to|impossible|too (?:expensive|slow|hard|complicated|many|much|late)|can['’]t|cannot|don['’]t know|nobody|no one|no way to|never|always|spend\w* (?:\w+ ){0,3}(?:hours?|days?|weeks?|money)|takes (?:\w+ ){0,3}(?:hours?|days?|weeks?)|complain\w*|worr(?:y|ies|ied)|afraid|scared)\b/giu,
  de: /\b(?:hasse\w*|nervt\w*|ärger\w*|genervt|mühsam|umständlich|frust\w*|chaos|vergess\w*|vergisst|verlier\w*|verpass\w*|verschwend\w*|ständig|immer|nie|niemand|keiner|schwer|schwierig|unmöglich|zu (?:teuer|kompliziert|viel|lange|spät)|problem)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:odi\w+|hart[oa]s?|cansad[oa]s?|molesta|frustra\p{L}*|caos|lío|problema|olvid\p{L}*|pierd\p{L}*|perd\p{L}*|desperdici\p{L}*|siempre|nunca|nadie|difícil|imposible|complicado|demasiad[oa]|no (?:sé|sabemos|sabe|puedo|podemos|hay))(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:détest\p{L}*|marre|énerve|frustr\p{L}*|chaos|galère|problème|oubli\p{L}*|perd\p{L}*|gaspill\p{L}*|toujours|jamais|personne ne|difficile|impossible|compliqué|trop|ne (?:sait|sais|savons|peut|peux|trouve))(?!\p{L})/giu,
  pt: /(?<!\p{L})(?:odei\p{L}*|cansad[oa]s?|fart[oa]s?|irrita\p{L}*|frustra\p{L}*|caos|problema|esque[cç]\p{L}*|perd\p{L}*|desperdiç\p{L}*|sempre|nunca|ninguém|difícil|impossível|complicado|demais|não (?:sei|sabemos|sabe|consigo|tem))(?!\p{L})/giu,
});

export type Part = { text: string; /** 0 to 1: how plainly it is said. */ clarity: number };
const NOTHING: Part = { text: '', clarity: 0 };

/** The sentence that says most plainly what hurts; empty where none does. */
export function problemOf({ situation }: Roles, language: string): Part {
  const pains = PAINS.get(language);
  if (!pains) return NOTHING;
  const rated = situation.map((text) => ({ text, points: (text.match(pains) ?? []).length })).sort((left, right) => right.points - left.points);
  const [best] = rated;
  return best && best.points > 0 ? { text: shorten(best.text, LONGEST), clarity: best.points > 1 ? 1 : 0.75 } : NOTHING;
}

/** The words before what is wished for: "I want an app that" is no part of what it does. */
const LEAD =
  /^(?:so |and |ok(?:ay)?,? |idea[:,]? |hello,? |hi[,!]? )*(?:(?:i|we)(?:['’]d| would)(?: like| love)?(?: to (?:build|make|create|have))?|(?:i|we) (?:really |just )?(?:want|need|wish for|plan)(?: to (?:build|make|create|have))?|(?:ich|wir) (?:will|wollen|möchten?|brauchen?|hätten? gern\p{L}*)|(?:quiero|queremos|necesito|necesitamos|me gustaría)(?: (?:crear|hacer))?|(?:je (?:veux|voudrais)|nous voulons|il faudrait)(?: (?:créer|faire))?|(?:quero|queremos|preciso|gostaria de)(?: (?:criar|fazer))?)\s/iu;
const REASON = /[,\s]+(?:because|since (?:i|we|they|nobody)|weil|porque|parce qu)(?!\p{L}).*$/isu;

/** What is to be built, as the first sentence that wishes for something says it. */
export function solutionOf({ wishes }: Roles): Part {
  const [wish] = wishes.filter((sentence) => termsOf(sentence).length > 0);
  if (wish === undefined) return NOTHING;
  const bare = wish.replace(LEAD, '').replace(REASON, '');
  const terms = termsOf(bare).length;
  return { text: shorten(bare, LONGEST).replace(/…$/, ''), clarity: terms >= 5 ? 1 : terms >= 3 ? 0.75 : terms >= 2 ? 0.5 : 0.25 };
}
