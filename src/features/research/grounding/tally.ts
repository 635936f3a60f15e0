import type { Fault } from './grounds.ts';

/** Counts what is caught while citations and references are held against what exists. */
export class Tally {
  readonly #ids: ReadonlySet<string>;
  readonly #counts: Record<Fault, number> = { fabricated: 0, unsupported: 0 };

  constructor(ids: ReadonlySet<string>) {
    this.#ids = ids;
  }

  count(fault: Fault, times = 1): void {
    this.#counts[fault] += times;
  }

  drop(fault: Fault): undefined {
    this.count(fault);
  }

  /** Counts a fault if there is one; true if there is none. */
  passes(fault: Fault | undefined): boolean {
    if (fault) this.count(fault);
    return fault === undefined;
  }

  /** The ids of findings among those cited; each other one is a fabricated citation. */
  cited(ids: readonly string[]): string[] {
    const kept = [...new Set(ids)].filter((id) => this.#ids.has(id));
    this.count('fabricated', new Set(ids).size - kept.length);
    return kept;
  }

  /** References that resolve; those to something that was never named are fabricated, those to something dropped just go. */
  resolve(references: readonly string[], kept: ReadonlySet<string>, named: ReadonlySet<string>): string[] {
    const distinct = [...new Set(references)];
    this.count('fabricated', distinct.filter((reference) => !named.has(reference)).length);
    return distinct.filter((reference) => kept.has(reference));
  }

  locked<T>(value: T): { value: T; fabricated: number; unsupported: number } {
    return { value, ...this.#counts };
  }
}
