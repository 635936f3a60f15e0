import type { Interpretation } from '../analyst.ts';
import { unaskedIn, unwantedAmong, withoutUnasked } from '../rule-analyst/unasked.ts';

/** Whether something may count as asked for: neither the idea, nor its analyst, nor its user says that it is not. */
export function wantedIn(idea: string, { unasked = [], told, categoryIds }: Interpretation): (label: string, featureId: string | null) => boolean {
  const things = [...(told?.unasked ?? unaskedIn(idea).things.map(({ quote }) => quote)), ...(told?.unasked ? [] : unasked)];
  const isUnwanted = unwantedAmong(things, told?.askedFor?.join('. ') ?? withoutUnasked(idea));
  return (label, id) => !isUnwanted(label) && (id === null || !categoryIds.some((market) => isUnwanted(label, { market, id })));
}

/** A reading that counts nothing as asked for that is not. */
export function wantedOnly(idea: string, reading: Interpretation): Interpretation {
  const isWanted = wantedIn(idea, reading);
  return { ...reading, askedFor: reading.askedFor.filter(({ label, featureId }) => isWanted(label, featureId)) };
}
