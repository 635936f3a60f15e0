import { knowsMarket } from '#features/research';
import { mapOf } from '#lib/map-of.ts';
import type { Material } from '../planner.ts';

/** Kinds of programs by their own words. */
const SAID: readonly (readonly [string, RegExp])[] = [
  ['browser-extension', /\b(?:browser|chrome|firefox) ?(?:extension|plug-?in|add-?on)\b/i],
  ['command-line', /\b(?:cli|command[- ]line|terminal tool)\b/i],
  ['mobile-shell', /\b(?:(?:mobile|phone|iphone|ios|android|smartphone) ?apps?|native app|an? app)\b/i],
  ['web-shell', /\b(?:web ?(?:app|site|based)|website|portal|dashboard|back office|marketplace|saas)\b/i],
];
const BY_MARKET = mapOf<string>({ b2c: 'mobile-shell' });

/** The kind of program an idea says that it is, else what is usual in its market. */
export function shellFor({ idea, research }: Material): string {
  const said = SAID.find(([, words]) => words.test(idea))?.[0];
  const [main] = research.filter(knowsMarket);
  return said ?? BY_MARKET.get(main?.classification.market_type ?? '') ?? 'web-shell';
}

/** Whether an idea says in its own words which kind of program it is. */
export const saysShell = ({ idea }: Material): boolean => SAID.some(([, words]) => words.test(idea));
