import { readFileSync } from 'node:fs';
import { openCatalogue } from '#features/catalogue';

/** Letters of a word that count, in whichever language: what follows are mostly its endings. */
const STEM = 6;
/** What a known market takes from the suspicion that a text says nothing. */
const KNOWN_MARKET = 5;
/** Above this a text is taken to say nothing: of 628 real ones that were not learnt from, one is above it. */
const SAYS_NOTHING = 0;

type Learnt = { bias: number; words: ReadonlyMap<string, number> };
let learnt: Learnt | undefined;

const openLearnt = (): Learnt => (learnt ??= readLearnt());

function readLearnt(): Learnt {
  const kept = JSON.parse(readFileSync(new URL('./substance-words.json', import.meta.url), 'utf8')) as {
    bias: number;
    words: Record<string, number>;
  };
  return { bias: kept.bias, words: new Map(Object.entries(kept.words)) };
}

/** The words of a text, each cut to its first letters. */
export const signsOf = (text: string): Set<string> =>
  new Set(
    (
      text
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(/['’]/g, '')
        .match(/[a-z0-9]+/g) ?? []
    ).map((word) => word.slice(0, STEM)),
  );

/**
 * Whether a text reads as texts do that name no problem and no product: logistic regression over its words, learnt from
 * some 900 such texts of several hands against ideas, needs and names of markets (bench/eval/learn-substance.ts).
 */
export function readsAsEmpty(text: string): boolean {
  const { bias, words } = openLearnt();
  const signs = signsOf(text);
  const sum = [...signs].reduce((total, sign) => total + (words.get(sign) ?? 0), 0);
  const score = bias + sum / Math.sqrt(Math.max(1, signs.size));
  return score > SAYS_NOTHING && score - KNOWN_MARKET * openCatalogue().search(text).confidence > SAYS_NOTHING;
}
