import type { Attempt } from './queue.ts';

/** A job at work in this process. */
export type HeldJob = Attempt & { kind: string; abort: AbortController; finished: Promise<void> };

/** The jobs at work in this process, and how many more there may be. */
export type HeldJobs = {
  add(job: HeldJob): void;
  remove(job: HeldJob): void;
  has(job: HeldJob): boolean;
  all(): HeldJob[];
  byKind(): Map<string, HeldJob[]>;
  /**
   * Shares the free slots among the kinds that want some: as evenly as their own limits allow, the first ones first where
   * there are not enough. Kinds that get none are left out.
   */
  share(kinds: Iterable<string>): Map<string, number>;
};

/** @param cap how many jobs of all kinds together; @param limits how many of one kind, where that is less */
export function openHeldJobs(cap: number, limits: ReadonlyMap<string, number | undefined>): HeldJobs {
  // By the try and not by the job: one that was taken over may be taken up here again while the earlier try still ends.
  const held = new Set<HeldJob>();
  const counts = new Map<string, number>();
  const count = (kind: string, more: number) => counts.set(kind, (counts.get(kind) ?? 0) + more);
  const freeOf = (kind: string): number => (limits.get(kind) ?? cap) - (counts.get(kind) ?? 0);
  return {
    add: (job) => {
      held.add(job);
      count(job.kind, 1);
    },
    remove: (job) => {
      if (held.delete(job)) count(job.kind, -1);
    },
    has: (job) => held.has(job),
    all: () => [...held],
    byKind: () => Map.groupBy(held, ({ kind }) => kind),
    share: (kinds) => {
      const wanting = [...kinds].filter((kind) => freeOf(kind) > 0);
      let left = cap - held.size;
      const shares = wanting.map((kind, index): [string, number] => {
        const share = Math.min(freeOf(kind), Math.ceil(left / (wanting.length - index)));
        left -= share;
        return [kind, share];
      });
      return new Map(shares.filter(([, share]) => share > 0));
    },
  };
}
