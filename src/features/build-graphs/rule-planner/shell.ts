import { openCatalogue } from '#features/catalogue';
import { mapOf } from '#lib/map-of.ts';
import type { Material } from '../planner.ts';

const CUES: readonly (readonly [string, RegExp, number])[] = [
  ['browser-extension', /\b(?:browser|chrome|firefox) ?(?:extension|plug-?in|add-?on)\b|\bextension that\b/i, 5],
  ['command-line', /\b(?:cli|command[- ]line|terminal tool)\b/i, 5],
  ['web-shell', /\b(?:web ?(?:app|site|based)|website|portal|dashboard|back office|desktop|spreadsheets?|marketplace)\b/i, 2],
  ['web-shell', /\b(?:saas|software for|b2b|companies|firms|teams?|departments?|clinics?|agencies|developers?|enterprises?)\b/i, 1],
  ['mobile-shell', /\b(?:mobile|phone|iphone|ios|android|smartphone|on the go)\b/i, 2.5],
  ['mobile-shell', /\b(?:an? app|photos?|scan|camera|gps|walk|run|workout|roommates?|parents?|kids|dogs?|cats?)\b/i, 1],
];
const BY_MARKET = mapOf<string>({
  b2c: 'mobile-shell',
  prosumer: 'web-shell',
  b2b: 'web-shell',
  b2b2c: 'web-shell',
  marketplace: 'web-shell',
  developer: 'web-shell',
});

/** The kind of program an idea wants: by what it says, else by what is usual in its market. */
export function shellFor({ idea, research }: Material): string {
  const points = new Map<string, number>();
  const add = (shell: string | undefined, value: number) => shell && points.set(shell, (points.get(shell) ?? 0) + value);
  for (const [shell, cue, value] of CUES) if (cue.test(idea)) add(shell, value);
  const type = research[0]?.classification.market_type ?? openCatalogue().search(idea, { limit: 1 }).categories[0]?.category.market_type;
  add(BY_MARKET.get(type ?? ''), 1.2);
  return [...points].sort((left, right) => right[1] - left[1])[0]?.[0] ?? 'web-shell';
}
