/** The reactions that follow each event of the drill. */
export const REACTIONS = ['roots', 'leaves', 'rings'] as const;

/** How far everything is: events that happened, reactions that ended, and those whose effect is not there or there twice. */
export type Totals = { events: number; done: number; gaveUp: number; missing: number; doubled: number };

/** What the process says: a reaction took a step, or how far everything is. */
export type Said = { step: true } | Totals;
