import { termsOf } from './terms.ts';

/** Sentences that say what should be, and sentences that say what is. */
export type Roles = { wishes: string[]; situation: string[] };

const WISHES: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    /\b(?:i|we)(?:'d| would| could)\b(?! (?:have|be|never|rather die|spend|lose|forget))/i,
    /\b(?:i|we) (?:really |just |now )?(?:want|need|wish|plan|am building|are building|'m building|'re building|am making)\b/i,
    /\b(?:wanna|want|need|wish|goal|solution|product|idea)\s*[:=]/i,
    /\bshould\b/i,
    /\b(?:it|that|this|they|you|users|people|which) (?:would|could) (?:\w+ )?(?:be|have|let|tell|show|get|see|take|send|know|do|work|run|help|learn|find|give|keep|match|open|ask|go|read|write|put|book|offer)\b/i,
    /\bwhat if\b/i,
    /\bwould (?:like|love) to\b/i,
    /^(?:want|need|wanna)\b/i,
    /^(?:a|an|some|one|simple|small|online|mobile|smart|ai) (?:\w+ ){0,3}(?:app|tool|platform|website|site|service|software|bot|assistant|extension|plugin|marketplace|dashboard|api|library|system|saas)\b/i,
    /\b(?:app|tool|platform|website|service|software|system|bot|something|smth|thing|place|way|one) (?:that|which|where|to|who|for)\b/i,
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
};
/** Bare commands: "Take a photo, tell me what it is". */
const COMMANDS = new Set(
  `take put catch write tap check turn scan show tell send let make keep give collect connect find match get track record compare build create share split remind help list import
  sync upload click drop pick choose answer ask read listen watch learn plan book order pay run test see do line group rank sort search store save generate draft detect measure
  log match snap photograph point press type speak talk drag hide publish post offer sell rent swap`.split(/\s+/),
);

/** Sorts the sentences of an idea into what is wished for and what is so today. */
export function rolesOf(sentences: readonly string[], language: string): Roles {
  const patterns = WISHES[language] ?? [];
  const isWish = (sentence: string): boolean =>
    patterns.some((pattern) => pattern.test(sentence)) || (language === 'en' && COMMANDS.has(/^[a-z']+/i.exec(sentence)?.[0].toLowerCase() ?? ''));
  const wishes = sentences.filter((sentence) => isWish(sentence) && termsOf(sentence).length >= 2);
  if (wishes.length > 0) return { wishes, situation: sentences.filter((sentence) => !wishes.includes(sentence)) };
  // Nothing is marked: people tell first what is wrong and then what they would do about it.
  return sentences.length >= 2 ? { wishes: sentences.slice(-1), situation: sentences.slice(0, -1) } : { wishes: [...sentences], situation: [] };
}
