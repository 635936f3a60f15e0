import { collapseSpaces, shorten } from '#lib/text.ts';

const LONGEST_PARAGRAPH = 700;

/** Openings that announce an idea and say nothing of it. */
const OPENINGS = [
  /^(?:so|ok|okay|well|hey|hi|hello|um+|uh+|hmm+|yeah|basically|right|alright|listen|look|guys|dear [a-z]+)\b[\s,:!.-]+/i,
  /^(?:(?:so )?(?:my|the|our|an?|here'?s (?:my|an?|the)) (?:(?:startup|app|business|product|new|rough|crazy|big|simple|general|basic) )*idea(?: is(?: that)?| here is)?|idea)\s*[:,-]?\s+(?!for\b)/i,
  /^(?:i (?:was|am|'m|have been|'ve been) thinking (?:about|of|that)?|i (?:had|have|got) (?:this|an|a) (?:[a-z]+ )?idea(?: (?:for|about|of|where))?)\s*[:,-]?\s*/i,
  /^(?:what if|how about|imagine|picture this|think of|i think|maybe|i guess|it would be (?:cool|great|nice) (?:if|to have)|there should be)\s*[:,-]?\s*/i,
  /^(?:also|then|and|but|plus|oh(?: and)?|anyway|anyways|like)[\s,]+/i,
];
const FILLERS = [
  /\b(?:you know(?: what i mean)?|i mean|sort of|kind of|kinda|sorta|basically|literally|honestly|to be honest|tbh|imo|imho|btw|lol|haha+|whatever|or something(?: like that)?|and stuff(?: like that)?|and so on|etc\.?|idk|i dont know|i don't know|if that makes sense|you get (?:it|the idea))\b,?/gi,
  /\b(?:um+|uh+|hmm+|er+m)\b,?/gi,
];
const TYPOS: ReadonlyMap<string, string> = new Map(
  `teh the,adn and,taht that,waht what,wich which,whcih which,recieve receive,recieves receives,recieved received,recieving receiving,seperate separate,definately definitely,alot a lot,
  becuase because,becasue because,beacuse because,cuz because,bcs because,bc because,bcoz because,wiht with,w/ with,w/o without,thier their,freinds friends,freind friend,
  peple people,poeple people,ppl people,peopel people,shoud should,shuld should,woud would,wont won't,dont don't,doesnt doesn't,didnt didn't,cant can't,couldnt couldn't,
  isnt isn't,arent aren't,im I'm,ive I've,youre you're,theyre they're,thats that's,whats what's,u you,ur your,r are,plz please,pls please,thx thanks,
  managment management,calender calendar,shoping shopping,shoppping shopping,grocerys groceries,grocerie grocery,recepies recipes,recipies recipes,reciept receipt,reciepts receipts,restaraunt restaurant,
  resturant restaurant,remeber remember,remmeber remember,rember remember,rememeber remember,forgoten forgotten,forgetts forgets,adress address,apointment appointment,appointmnet appointment,
  bussiness business,busness business,buisness business,costumer customer,costumers customers,custommers customers,invoce invoice,payed paid,scedule schedule,schedual schedule,shedule schedule,
  tracing tracing,autmatically automatically,automaticly automatically,automaticaly automatically,notfication notification,tommorow tomorrow,tomorow tomorrow,untill until,smth something,sth something,somthing something,someting something,suprise surprise,an' and,
  wanna want to,gonna going to,gotta have to,lemme let me,gimme give me,i I,i'm I'm,i've I've,i'd I'd,i'll I'll`
    .split(/,\s*/)
    .map((pair) => {
      const [wrong = '', ...right] = pair.trim().split(' ');
      return [wrong, right.join(' ')] as const;
    }),
);

/** A messy text as clean sentences: bullets, fillers, shouting and common misspellings gone, nothing added. */
export function cleanSentences(text: string, language: string): string[] {
  const lines = text
    .normalize('NFC')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/(?:[\p{Extended_Pictographic}*_#`~^|<>]|\u{FE0F}|\u{200D})+/gu, ' ')
    .replaceAll(/([!?.,])\1+/g, '$1')
    .replaceAll(/(?<=[\p{L}\d)]) \+ (?=\p{L})/gu, ', ')
    .split(/\n+/)
    .map((line) => line.replace(/^\s*(?:[-–•+·]|\d{1,2}[.)]|[a-z]\))\s+/i, ''))
    .map(collapseSpaces)
    .filter((line) => /\p{L}/u.test(line));
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?;])\s+(?=\P{Ll})|(?<=[!?;。！？])\s*|(?<=\p{L}{3}\.)\s+/u));
  const seen = new Set<string>();
  return sentences
    .map((sentence) => cleanSentence(sentence, language))
    .filter((sentence) => sentence.length > 1 && !seen.has(sentence.toLowerCase()) && seen.add(sentence.toLowerCase()));
}

function cleanSentence(sentence: string, language: string): string {
  let clean = isShouted(sentence) ? sentence.toLowerCase() : sentence;
  if (language === 'en') {
    clean = clean.replaceAll(/[\p{L}][\p{L}'’/]*/gu, (word) => TYPOS.get(word.toLowerCase().replaceAll('’', "'")) ?? word);
    for (const filler of FILLERS) clean = clean.replaceAll(filler, ' ');
    for (let round = 0; round < 3; round += 1) for (const opening of OPENINGS) clean = clean.replace(opening, '');
    clean = clean.replaceAll(/\b(\p{L}{1,40})(?: \1\b)+/giu, '$1');
  }
  clean = collapseSpaces(clean.replaceAll(/\s+([,.;:!?])/g, '$1').replaceAll(/,+(?=[,.;!?])/g, '')).replace(/^[\s,;:.–-]+|[\s,;:.!–-]+$/gu, '');
  return clean.charAt(0).toUpperCase() + clean.slice(1);
}

const isShouted = (text: string): boolean => text.length > 12 && text === text.toUpperCase() && text !== text.toLowerCase();

/** The sentences as one paragraph; a very long text keeps its beginning. */
export function paragraphOf(sentences: readonly string[]): string {
  const joined = sentences.map((sentence) => (/[?。！？]$/u.test(sentence) ? sentence : `${sentence}.`)).join(' ');
  return shorten(joined, LONGEST_PARAGRAPH);
}

/** A clause as it can stand inside a sentence: first letter small unless the word is a name or may be a German noun, no end mark. */
export function inline(clause: string, language = 'en'): string {
  const flat = collapseSpaces(clause).replace(/[\s,;:.!?…]+$/u, '');
  if (language === 'de') return flat;
  return /^(?:I\b|\p{Lu}[\p{Lu}\d/]|\p{Lu}\p{Ll}*\p{Lu})/u.test(flat) ? flat : flat.charAt(0).toLowerCase() + flat.slice(1);
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
