import { diskCached } from '#platform/disk-cache/disk-cache.ts';
import { CATALOGUE_FOLDER, DOUBTFUL_BELOW, openCatalogue, stem, tokenize, type Category } from '#features/catalogue';
import type { Material } from '../planner.ts';
import { isForeign } from './match.ts';
import { BOTH, CIRCUMSTANCE, DETERMINERS, NEEDS_QUALIFIER, NEVER, PEOPLE, VERBS } from './vocabulary.ts';
import { isUncounted, nounOf, plural, singular, type Noun } from './words.ts';

/** The words an idea uses for whom it is for and for what it is about. */
export type Wording = {
  user: Noun;
  object: Noun;
  /** Whether a word names a thing: as names of markets and features do, or as the idea itself uses it. */
  isNoun(word: string): boolean;
};

/** What a market never speaks of has to be said plainly to be what an idea in it is about. */
const UNTOLD = 0.6;
const ANYONE: Noun = { one: 'user', many: 'users' };
const ANYTHING: Noun = { one: 'entry', many: 'entries' };

type Word = { word: string; opensClause: boolean };

/** Read from the idea itself; the market it belongs to helps to choose and fills what the idea does not say. */
export function readWording({ idea, features, research }: Material): Wording {
  const [main] = research;
  const market = main ? openCatalogue().category(main.classification.category_ids[0] ?? '') : marketOf(idea);
  const said = main && !main.idea.target_user.startsWith('Not said') ? main.idea.target_user : '';
  const user = peopleIn(said)?.noun ?? usersOf(idea, market) ?? ANYONE;
  const labels = features.map(({ label }) => label).join('. ');
  const usual = market && nounOfMarket(market);
  const spoken = isForeign(idea) ? undefined : objectOf(idea, labels, user, market);
  const used = new Set(nounRuns(tokenize(idea)).flatMap(({ words }) => words.map((word) => stem(word))));
  const isNoun = (word: string) => used.has(stem(word)) || knownNouns().has(stem(word));
  const object = spoken && corrected(spoken, [labels, market ? vocabularyOf(market) : ''].join(' '));
  return { user, isNoun, object: object ?? usual ?? objectOf(labels, '', user, market) ?? ANYTHING };
}

/** A word that nobody in the market writes, and that is a letter away from one that they do, is that one. */
function corrected({ one, many }: Noun, text: string): Noun {
  const written = new Set(tokenize(text).map(({ word }) => word));
  const fix = (word: string): string =>
    word.length < 5 || written.has(word) || knownNouns().has(stem(word)) ? word : ([...written].find((other) => isOneLetterOff(word, other)) ?? word);
  const [from, to] = [one, one.split(' ').map(fix).join(' ')];
  return from === to ? { one, many } : nounOf(to);
}

/** One letter too many, too few, or another one in its place. */
function isOneLetterOff(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1 || left[0] !== right[0]) return false;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return left.slice(at + 1) === right.slice(at + 1) || left.slice(at) === right.slice(at + 1) || left.slice(at + 1) === right.slice(at);
}

const vocabularyOf = ({ name, aliases, keywords, use_cases: uses, needs, features }: Category): string =>
  [name, ...aliases, ...keywords, ...uses, ...needs, ...features.map((feature) => feature.name)].join('. ');

function marketOf(idea: string): Category | undefined {
  const answer = openCatalogue().search(idea, { limit: 1 });
  return answer.confidence >= DOUBTFUL_BELOW ? answer.categories[0]?.category : undefined;
}

/** Whom the idea says it is for; where it merely mentions people, the market's usual audience knows better. */
function usersOf(idea: string, market: Category | undefined): Noun | undefined {
  const named = peopleIn(idea);
  if (named && named.rank >= CLEARLY) return named.noun;
  return usualUsers(market) ?? named?.noun;
}

/** The first people that a market's audience names: in words for people, else whatever stands at the head of the phrase. */
function usualUsers(market: Category | undefined): Noun | undefined {
  const audience = market?.audience ?? [];
  for (const phrase of audience) {
    const noun = peopleIn(phrase)?.noun ?? headOfAudience(phrase);
    if (noun) return noun;
  }
  return undefined;
}

/** `data protection officers` in "Data protection officers of large firms", in at most two words. */
function headOfAudience(phrase: string): Noun | undefined {
  const [head = ''] = phrase.toLowerCase().split(/,|\s(?:who|that|with|and|in|of|for|on|at|from|to|by)\s/);
  const words = head.split(' ').filter((word) => /^[a-z-]{3,}$/.test(word));
  const last = words.at(-1) ?? '';
  const names = last.endsWith('s') && !/(?:ss|us)$/.test(last) && !NEVER.has(last) && words.length === head.split(' ').length;
  return names ? nounOf(words.slice(-2).join(' ')) : undefined;
}

/** The people a text names, those it is for before those it mentions. */
function peopleIn(text: string): { noun: Noun; rank: number } | undefined {
  const tokens = tokenize(text);
  let best: { noun: Noun; rank: number } | undefined;
  for (const [at, { word }] of tokens.entries()) {
    const led = [1, 2, 3].some((back) => LEADS.test(tokens[at - back]?.word ?? ''));
    if (!(PEOPLE.has(word) || (led && AGENTS.test(word) && !NEVER.has(word))) || isUsedAsModifier(tokens, at)) continue;
    const qualifier = qualifierOf(tokens, at);
    const opens = at - (qualifier ? 1 : 0) === 0 ? 1.5 : 0;
    const acts = SUBJECT.test(tokens[at + 1]?.word ?? '') || (VERBS.has(tokens[at + 1]?.word ?? '') && !tokens[at + 1]?.opensClause) ? 1.2 : 0;
    const vague = NEEDS_QUALIFIER.has(word) && !qualifier ? 2 : 0;
    const rank = (led ? 3 : 0) + opens + acts - vague - at / 200 - (word === 'people' || word === 'person' ? 1 : 0);
    if (!/^(?:anyone|everyone)$/.test(word) && (!best || rank > best.rank)) best = { noun: nounOf(qualifier ? `${qualifier} ${word}` : word), rank };
  }
  return best;
}

const CLEARLY = 0.9;
const UNLIKELY = -0.4;
const LEADS = /^(?:for|helps?|lets?|where|between|as|allows?|gives?|am)$/;
const SUBJECT = /^(?:should|can|could|may|must|want|wants|need|needs|get|keep|who|that|become|always|never|often|could|would)$/;
const AGENTS = /(?:shops|stores|houses|ists|ians|eers|[^e]ers|ors)$/;

/** `shop` in `shop owners` names no people itself. */
const isUsedAsModifier = (tokens: readonly Word[], at: number): boolean => {
  const next = tokens[at + 1];
  return (
    next !== undefined && !next.opensClause && (PEOPLE.has(next.word) || (!NEVER.has(next.word) && !VERBS.has(next.word) && next.word.endsWith('s')))
  );
};

function qualifierOf(tokens: readonly Word[], at: number): string | undefined {
  const before = tokens[at - 1];
  if (!before || tokens[at]?.opensClause || !NEEDS_QUALIFIER.has(tokens[at]?.word ?? '')) return undefined;
  const { word } = before;
  const usable =
    /^[a-z]{3,}$/.test(word) &&
    (!NEVER.has(word) || /^(?:small|remote|independent|local|home)$/.test(word)) &&
    !VERBS.has(word) &&
    !word.endsWith('ly');
  return usable ? word : undefined;
}

type Run = { words: string[]; at: number; before: string; ahead: string };

function objectOf(text: string, labels: string, user: Noun, market: Category | undefined): Noun | undefined {
  const known = knownNouns();
  const runs = nounRuns(tokenize(text)).filter(({ words }) => !namesPeople(words, user) && known.has(headOf(words)) && isMatter(words.at(-1) ?? ''));
  const labelStems = new Set(tokenize(labels).map(({ word }) => stem(word)));
  const usual = market ? nounsOfMarket(market) : undefined;
  const times = new Map<string, number>();
  for (const { words } of runs) times.set(headOf(words), (times.get(headOf(words)) ?? 0) + 1);
  let best: { run: Run; rank: number } | undefined;
  for (const run of runs) {
    const head = headOf(run.words);
    const rank =
      (DETERMINERS.has(run.before) ? (VERBS.has(run.ahead) ? 2 : 1) : 0) +
      (VERBS.has(run.before) ? 1.5 : 0) -
      (CIRCUMSTANCE.has(run.before) ? 1.5 : 0) +
      1.2 * ((times.get(head) ?? 1) - 1) +
      (labelStems.has(head) ? 1.5 : 0) +
      (usual ? 2 * (usual.get(head)?.weight ?? 0) - UNTOLD : 0) +
      (run.words.length > 1 ? 0.6 : 0) -
      (isUncounted(run.words.at(-1) ?? '') ? 1 : 0) -
      run.at / 100 +
      (/^(?:and|or)$/.test(run.before) ? 0.3 : 0);
    if (!best || rank > best.rank) best = { run, rank };
  }
  return best && (best.rank > UNLIKELY || !market) ? nounOf(best.run.words.join(' ')) : undefined;
}

/** What is paid or written down along the way is seldom what an idea is about. */
const SIDE_MATTERS = new Set(
  'cost costs deposit deposits price prices fee fees payment payments charge charges photo photos picture pictures report reports record records history percent'.split(
    ' ',
  ),
);

/** Kinds of programs and of work on things, and not the things. */
const DOINGS =
  /(?:management|navigation|integration|automation|monitoring|compliance|analytics|software|accounting|administration|governance|observability|security|engagement|production|planning|hosting|tracker|tracking|planner|editor|checker|builder|manager|generation|generator|recognition|optimi[sz]ation|adoption|assistant|marketing|discovery|replication|orchestration)s?$/;

const isMatter = (word: string): boolean => !SIDE_MATTERS.has(word) && !DOINGS.test(word);

type Told = { word: string; weight: number; inPlural: boolean };
const ofMarkets = new Map<string, ReadonlyMap<string, Told>>();

/** The things a market speaks of, by stem, the most told of all weighing 1. */
function nounsOfMarket(market: Category): ReadonlyMap<string, Told> {
  const known = ofMarkets.get(market.id);
  if (known) return known;
  const told = new Map<string, Told>();
  const add = (text: string, weight: number) => {
    for (const { words } of nounRuns(tokenize(text))) {
      const word = words.at(-1) ?? '';
      if (PEOPLE.has(word) || !isMatter(word)) continue;
      const entry = told.get(stem(word)) ?? { word, weight: 0, inPlural: false };
      told.set(stem(word), { ...entry, weight: entry.weight + weight, inPlural: entry.inPlural || plural(singular(word)) === word });
    }
  };
  for (const text of [market.name, ...market.aliases]) add(text, 1.5);
  for (const text of [...market.keywords, ...market.use_cases, ...market.needs]) add(text, 1);
  for (const { name } of market.features) add(name, 0.7);
  const most = Math.max(1, ...[...told.values()].map(({ weight }) => weight));
  const shares = new Map([...told].map(([key, entry]) => [key, { ...entry, weight: entry.weight / most }] as const));
  ofMarkets.set(market.id, shares);
  return shares;
}

/** What a market is about, for ideas that do not say it and for those in words that nothing here reads. */
function nounOfMarket(market: Category): Noun | undefined {
  // What is never told in the plural is seldom a thing that there are several of: care, cash, legal.
  const [first] = [...nounsOfMarket(market).values()].filter(({ inPlural }) => inPlural).sort((left, right) => right.weight - left.weight);
  return first ? nounOf(singular(first.word)) : undefined;
}

let nouns: ReadonlySet<string> | undefined;

/** Stems of what names of markets, products' features and keywords end in: words that name things, not doings. */
export function knownNouns(): ReadonlySet<string> {
  nouns ??= diskCached('nouns', [CATALOGUE_FOLDER, import.meta.dirname], () => nounsIn(openCatalogue().categories));
  return nouns;
}

function nounsIn(markets: Iterable<Category>): Set<string> {
  const found = new Set<string>();
  for (const { name, aliases, keywords, features, use_cases: uses, needs } of markets) {
    const ends = [name, ...aliases, ...keywords, ...features.map((feature) => feature.name)].map((phrase) => tokenize(phrase).at(-1)?.word ?? '');
    // Elsewhere a plural after a telling word is a thing as well.
    const plurals = [...uses, ...needs].flatMap((line) =>
      nounRuns(tokenize(line)).flatMap(({ words, before }) => (VERBS.has(before) || DETERMINERS.has(before) ? words.slice(-1) : [])),
    );
    for (const word of [...ends, ...plurals]) found.add(stem(word));
  }
  return found;
}

const headOf = (words: readonly string[]): string => stem(words.at(-1) ?? '');
const namesPeople = (words: readonly string[], user: Noun): boolean => {
  const last = words.at(-1) ?? '';
  return PEOPLE.has(last) || user.many.endsWith(last) || user.one.endsWith(last);
};

/** Runs of words that can name a thing, cut to their last `most` words, with the word before each. */
export function nounRuns(tokens: readonly Word[], most = 2): Run[] {
  const runs: Run[] = [];
  let words: string[] = [];
  let start = 0;
  const close = () => {
    while (words.length > 0 && !isNounLike(words.at(-1) ?? '')) words.pop();
    const kept = words.slice(-most);
    const [first] = kept;
    const second = kept[1];
    const standAlone = first !== undefined && second !== undefined && (first === second || (areMany(first) && areMany(second)));
    if (kept.length > 1 && first && (standAlone || first.endsWith('ly') || /[^ei]ed$/.test(first))) kept.shift();
    const wordAt = (place: number) => tokens[place]?.word ?? '';
    if (kept.length > 0)
      runs.push({ words: kept, at: start, before: tokens[start]?.opensClause ? '' : wordAt(start - 1), ahead: leading(tokens, start - 2) });
    words = [];
  };
  for (const [at, { word, opensClause }] of tokens.entries()) {
    if (opensClause) close();
    if (!canBePart(tokens, at, words.length > 0)) {
      close();
      continue;
    }
    if (words.length === 0) start = at;
    words.push(word);
  }
  close();
  return runs;
}

/** `metrics traces` are two things beside each other, `sports bags` and `business cards` one. */
const areMany = (word: string): boolean =>
  word.length > 3 && /[^su]s$/.test(word) && !/^(?:sports|business|sales|goods|arts|news|savings)$/.test(word);

/** The first word before a place that is no determiner. */
function leading(tokens: readonly Word[], from: number): string {
  let at = from;
  while (at > 0 && at > from - 3 && DETERMINERS.has(tokens[at]?.word ?? '')) at -= 1;
  return tokens[at]?.word ?? '';
}

/** After these comes what is done, not what it is done with. */
const DOERS = /^(?:i|we|you|they|he|she|it|who|nobody|somebody|everyone|should|can|could|will|would|must|may|might)$/;

/** Too general alone, good as the end of a run: `power tools`, `job sites`. */
const HEADS = /^(?:tools|devices|sites|products|parts|kits|services|systems|issues)$/;

/** What is handled like this is a thing one can touch, and no kind of program: neighbours lend tools. */
const HANDLED = /^(?:lend|borrow|rent|hire|swap|share|repair|sharpen|sell|own)(?:s|ing)?$/;

function canBePart(tokens: readonly Word[], at: number, inRun: boolean): boolean {
  const word = tokens[at]?.word ?? '';
  if (HEADS.test(word) && (inRun || HANDLED.test(tokens[at - 1]?.word ?? ''))) return true;
  if (NEVER.has(word) || !/^[a-z]{3,}$/.test(word)) return false;
  const before = at > 0 && !tokens[at]?.opensClause ? (tokens[at - 1]?.word ?? '') : '';
  if (DOERS.test(before) || (before === 'to' && !word.endsWith('s')) || (PEOPLE.has(before) && !word.endsWith('s'))) return false;
  if (!BOTH.has(word)) return !VERBS.has(word);
  const next = tokens[at + 1];
  if (next && !next.opensClause && /^(?:the|a|an|their|your|my|our|his|her|its|them|it|all|every|each|new|what|which|who|how|when)$/.test(next.word))
    return false;
  return inRun || DETERMINERS.has(before) || VERBS.has(before) || word.endsWith('s') || /^(?:for|from|with|about|into)$/.test(before);
}

const isNounLike = (word: string): boolean =>
  word.length >= 3 &&
  !/(?:ly|able|ible|ous|ful|less)$/.test(word) &&
  (BOTH.has(word) || !/(?:[^ei]ed|[^hr]ing)$/.test(word) || /^(?:seed|bed|weed|breed|spring|string|thing|ring|wing|king)$/.test(word));
