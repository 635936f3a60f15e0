/** A source of random numbers that gives the same ones for the same seed. */
export type Random = {
  /** From 0 up to, not including, `below`. */
  int(below: number): number;
  chance(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
};

/** Mulberry32, by Tommy Ettinger (public domain): 32 bits of state, good enough to choose by. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    int: (below) => Math.floor(next() * below),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
  };
}

/** A version 4 UUID out of the given source. */
export const uuidFrom = (random: Random): string => 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => random.int(16).toString(16));
