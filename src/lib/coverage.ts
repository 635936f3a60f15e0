type Feature = { asked_for: boolean; held_by: readonly string[]; lacked_by?: readonly string[] | undefined };

/** Of the things that an idea asks for, how many a rival is known to have and to lack; of the others nothing is recorded. */
export type Coverage = { asked: number; has: number; lacks: number };

/** The one figure by which rivals are held against an idea: report, score and order all rest on it. */
export function coverageOf({ id }: { id: string }, features: readonly Feature[]): Coverage {
  const asked = features.filter((feature) => feature.asked_for);
  return {
    asked: asked.length,
    has: asked.filter(({ held_by: holders }) => holders.includes(id)).length,
    lacks: asked.filter(({ held_by: holders, lacked_by: lacking = [] }) => !holders.includes(id) && lacking.includes(id)).length,
  };
}

/** The same as a share, 0 to 1 in hundredths; 0 where nothing is asked for. */
export const coveredShare = ({ asked, has }: Coverage): number => (asked > 0 ? Math.round((100 * has) / asked) / 100 : 0);

/** `2 of the 5 things you ask for; 2 not recorded`; empty where nothing is asked for. */
export function coverageInWords({ asked, has, lacks }: Coverage): string {
  if (asked === 0) return '';
  const open = asked - has - lacks;
  const held = asked === 1 ? (has === 1 ? 'the one thing you ask for' : '') : `${has} of the ${asked} things you ask for`;
  const rest = [lacks > 0 ? `${lacks} missing` : '', open > 0 ? (asked === 1 ? 'not recorded' : `${open} not recorded`) : '']
    .filter(Boolean)
    .join(', ');
  return [held, rest].filter(Boolean).join('; ');
}
