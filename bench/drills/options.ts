import { parseArgs } from 'node:util';

/** The command line of a drill: `--times N`, `--postgres URL`. */
export function drillOptions(standard: { times: number; postgres?: string }): { times: number; postgres: string | undefined } {
  const { values } = parseArgs({ options: { times: { type: 'string' }, postgres: { type: 'string' } } });
  return { times: Number(values.times ?? standard.times), postgres: values.postgres ?? standard.postgres };
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Collects what is wrong, prints the beginning of it, and decides how the process ends. */
export function openVerdict(): { violated(what: string): void; count(): number; conclude(summary: string): void } {
  const violations: string[] = [];
  return {
    violated: (what) => {
      violations.push(what);
      if (violations.length <= 20) say(`VIOLATION ${what}`);
    },
    count: () => violations.length,
    conclude: (summary) => {
      say(`${summary}; ${violations.length === 0 ? 'no violation' : `${violations.length} VIOLATIONS`}`);
      process.exitCode = violations.length === 0 ? 0 : 1;
    },
  };
}
