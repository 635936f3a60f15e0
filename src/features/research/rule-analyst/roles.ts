import { termsOf } from '#features/catalogue';
import { mapOf } from '#lib/map-of.ts';

/** Sentences that say what should be, and sentences that say what is. */
export type Roles = {
  wishes: string[];
  situation: string[];
  /** Whether the text says of the wishes that they are; else they are what was told last. */
  isWished: boolean;
};

const WISHES = mapOf<readonly RegExp[]>({
  en: [
    /\b(?:i|we)(?:'d| would| could)\b(?! (?:have|be|never|rather die|spend|lose|forget))/i,
    /\b(?:i|we) (?:really |just |now )?(?:want|need|wish|plan|am building|are building|'m building|'re building|am making)\b/i,
    /\b(?:wanna|wants?|needs?|wish(?:es|list)?|goals?|requirements?|must.haves?|features?|solution|product|idea|pitch)\s*[:=]/i,
    /\bthere (?:has to|must|ought to) be an? \w+|\bis there (?:an? |any|some)|\b(?:looking|searching) for (?:an? |some)|\bif (?:anyone|anybody|someone|somebody) (?:builds?|built|makes?|made)\b|\b(?:i|we) (?:wish|dream of)\b/i,
    /\bshould\b/i,
    /\b(?:it|that|this|they|you|users|people|which) (?:would|could) (?:\w+ )?(?:be|have|let|tell|show|get|see|take|send|know|do|work|run|help|learn|find|give|keep|match|open|ask|go|read|write|put|book|offer)\b/i,
    /\bwould be (?:so |really |super |pretty )?(?:sick|great|nice|cool|awesome|perfect|ideal|lovely|amazing|handy|useful|helpful|fantastic|a dream)\b/i,
    /\bwhat if\b/i,
    /\bwould (?:like|love) to\b/i,
    /^(?:want|need|wanna)\b/i,
    /^(?:a|an|some|one|simple|small|online|mobile|smart|ai) (?:\w+ ){0,3}(?:app|tool|platform|website|site|service|software|bot|assistant|extension|plugin|marketplace|dashboard|api|library|system|saas)\b/i,
    /\b(?:app|tool|platform|website|service|software|system|bot|chatbot|assistant|api|sdk|library|extension|plug-?in|dashboard|portal|marketplace|game|device|something|smth|thing|place|way|one) (?:that|which|where|to|who|for)\b/i,
    /^(?:let|one place|a place|one|ready-made|picture|imagine|what if)\b/i,
    /\bplease\b/i,
    /\bthinking (?:of |about )?(?:smth|something|an?)\b/i,
  ],
  de: [
    /\b(?:ich|wir) (?:will|wollen|möchten?|brauche|brauchen|hätten?|würden?|wünschen?)\b/i,
    /\b(?:soll|sollte|sollen|sollten|könnte|könnten|würde|würden)\b/i,
    /\bwill ich\b/i,
    /\b(?:eine?|einen) (?:\w+ )?(?:app|programm|plattform|werkzeug|dienst|software|seite|platz|ort)\b/i,
    /^(?:hochladen|ein ort|eine app)/i,
  ],
  es: [
    /\b(?:quiero|queremos|quisiera|necesito|necesitamos|me gustaría|busco|deber(?:ía|ían)|podr(?:ía|ían))\b/iu,
    /^que (?:cada|el|la|los|las|todos|se|me|yo)\b/iu,
    /\b(?:una?) (?:app|aplicación|plataforma|herramienta|programa|sitio|servicio)\b/iu,
    /\b\p{L}+(?:aría|ería|iría)n?\b/iu,
  ],
  fr: [
    /\b(?:je veux|je voudrais|nous voulons|nous voudrions|on veut|on voudrait|il faudrait|j'aimerais|j'imagine|je propose|besoin d)\b/iu,
    /\b\p{L}{3,}(?:erait|eraient|rions|raient)\b/iu,
    /\b(?:une?) (?:appli\w*|plateforme|outil|service|logiciel|site)\b/iu,
  ],
  pt: [
    /\b(?:quero|queremos|queria|queríamos|preciso|precisamos|gostaria|imagino|poderia|deveria)\b/iu,
    /^que (?:cada|o|a|os|as|todos)\b/iu,
    /\b(?:um|uma) (?:app|aplicativo|plataforma|ferramenta|programa|site|serviço|sistema)\b/iu,
    /\b\p{L}{3,}(?:aria|eria|iria)m?\b/iu,
  ],
});
/** Bare commands: "Take a photo, tell me what it is". */
const COMMANDS = new Set(
  `take put catch write tap check turn scan show tell send let make keep give collect connect find match get track record compare build create share split remind help list import
  sync upload click drop pick choose answer ask read listen watch learn plan book order pay run test see do line group rank sort search store save generate draft detect measure
  log match snap photograph point press type speak talk drag hide publish post offer sell rent swap`.split(/\s+/),
);

/** Where a wish begins in the middle of a sentence that told first what is so: "…, I want them to pay". */
const SPLICES = mapOf<RegExp>({
  en: /,\s+(?:and |so |but )*(?=(?:i|we)(?:'d| would| (?:really |just |now )?(?:want|need|wish|am building|are building))\b)/i,
  de: /,\s+(?:und |also |deshalb |darum )*(?=(?:ich|wir|jetzt) (?:will|wollen|möchten?|brauche|brauchen|hätten?)\b)/i,
  es: /,\s+(?:y |así que |por eso )*(?=(?:quiero|queremos|quisiera|necesito|necesitamos|me gustaría|busco)\b)/iu,
  fr: /,\s+(?:et |donc |alors )*(?=(?:je veux|je voudrais|nous voulons|on veut|on voudrait|il faudrait|j'aimerais)\b)/iu,
  pt: /,\s+(?:e |então |por isso )*(?=(?:quero|queremos|queria|queríamos|preciso|precisamos|gostaria)\b)/iu,
});
/** Words that a part needs to stand alone as a situation. */
const SITUATION = 4;

function splitAtWish(sentence: string, language: string): string[] {
  const splice = SPLICES.get(language)?.exec(sentence);
  if (!splice) return [sentence];
  const before = sentence.slice(0, splice.index);
  const after = sentence.slice(splice.index + splice[0].length);
  return before.split(/\s+/).length >= SITUATION && termsOf(before).length >= 2 ? [before, after] : [sentence];
}

/** "No monthly fee please" says on what terms, not what. */
const TERMS = /^(?:no|not|without|never|keine?|ohne|sin|sans|pas d|sem|nada de)\b(?:\s\S+){1,7}$/iu;

/** "Things I need as a fantasy novelist", above a list: who says it, and no part of what is said. */
const OF_ONESELF = /^(?:[\w ]{0,25}\b(?:i|we) (?:need|want|do|wish) )?as an? (?:[\w-]+ ?){1,5}$/i;

/** Sorts the sentences of an idea into what is wished for and what is so today. */
export function rolesOf(written: readonly string[], language: string): Roles {
  const split = written.flatMap((sentence) => splitAtWish(sentence, language));
  const telling = split.filter((sentence) => !TERMS.test(sentence) && !OF_ONESELF.test(sentence));
  const sentences = telling.length > 0 ? telling : split;
  const patterns = WISHES.get(language) ?? [];
  const isWish = (sentence: string): boolean =>
    patterns.some((pattern) => pattern.test(sentence)) || (language === 'en' && COMMANDS.has(/^[a-z']+/i.exec(sentence)?.[0].toLowerCase() ?? ''));
  const wishes = sentences.filter((sentence) => isWish(sentence) && termsOf(sentence).length >= 2);
  if (wishes.length > 0) return { wishes, situation: sentences.filter((sentence) => !wishes.includes(sentence)), isWished: true };
  // Nothing is marked: people tell first what is wrong and then what they would do about it.
  const told = sentences.length >= 2 ? sentences.slice(0, -1) : [];
  return { wishes: sentences.slice(told.length), situation: told, isWished: false };
}
