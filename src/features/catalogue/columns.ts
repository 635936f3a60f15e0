/** Where each of several parts of these lengths ends when they stand one after the other. */
export function endsOf(lengths: readonly number[]): Int32Array {
  let end = 0;
  return Int32Array.from(lengths, (length) => (end += length));
}

/** The part of a column that stands at a place, given where the parts end. */
export const partAt = <Values extends Uint8Array | Uint16Array | Int32Array>(values: Values, ends: Int32Array, place: number): Values =>
  values.subarray(ends[place - 1] ?? 0, ends[place]) as Values;
