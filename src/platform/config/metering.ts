import type { Env } from './env.ts';
import { ConfigError, listed, oneOf } from './read-values.ts';

/** What can be charged, and of which counter. */
const COUNTERS = { research: 'credits', feature_research: 'credits', build_graph: 'credits', brief: 'credits', question: 'questions' } as const;
export type MeteredWork = keyof typeof COUNTERS;

type Price = { counter: (typeof COUNTERS)[MeteredWork]; amount: number };

/** What work costs; null where nothing is counted. */
export type MeteringConfig = { metering: Readonly<Record<MeteredWork, Price>> | null };

const STANDARD: Record<MeteredWork, number> = { research: 1, feature_research: 2, build_graph: 1, brief: 1, question: 1 };
const DEAREST = 1_000_000;

export function readMetering(env: Env): MeteringConfig {
  const amounts = { ...STANDARD };
  for (const pair of listed(env, 'METERING_PRICES')) {
    const [, name = '', amount] = /^(\w+)\s*=\s*(\d{1,7})$/.exec(pair) ?? [];
    if (!Object.hasOwn(COUNTERS, name) || Number(amount) > DEAREST) {
      const names = Object.keys(COUNTERS).join(', ');
      throw new ConfigError(`METERING_PRICES takes work=amount between commas, with the work ${names} and up to ${DEAREST}; it holds "${pair}".`);
    }
    amounts[name as MeteredWork] = Number(amount);
  }
  if (oneOf(env, 'METERING', ['off', 'on'], 'off') === 'off') return { metering: null };
  const prices = Object.entries(COUNTERS).map(([work, counter]) => [work, { counter, amount: amounts[work as MeteredWork] }]);
  return { metering: Object.fromEntries(prices) as Record<MeteredWork, Price> };
}
