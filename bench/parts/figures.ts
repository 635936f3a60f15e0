/** What a benchmark found: one line of the table. `compared` and `ratio` are of the same run. */
export type Row = { measure: string; value: string; compared?: string; ratio?: string };

/** Value at a share of the sorted list: 0.5 is the median; NaN when there is none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value)} ms`;

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

export const ratioOf = (value: number, compared: number): string => (value / compared).toFixed(2);

/** Hands a row to whoever runs the benchmark: a line of JSON on standard output. */
export const report = (row: Row): void => void process.stdout.write(`${JSON.stringify(row)}\n`);

/** Milliseconds of the machine's monotonic clock, which all processes share. */
export const machineClock = (): number => Number(process.hrtime.bigint()) / 1e6;
