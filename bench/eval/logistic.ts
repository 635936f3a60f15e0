const STEP = 0.05;
const ROUNDS = 600;
const [FORGETS, FORGETS_SQUARES, TINY] = [0.9, 0.999, 1e-8];

/** Something to learn from: which columns it has and their values, what is so of it (0 or 1), and what it counts. */
export type Example = { columns: ArrayLike<number>; values: ArrayLike<number>; says: number; weight: number };

export type Logistic = { bias: number; weights: Float64Array };

/** Logistic regression over `size` columns with a quadratic penalty, by Adam over all examples at once (Kingma, Ba 2015). */
export function learnLogistic(examples: readonly Example[], size: number, penalty: number, rounds = ROUNDS): Logistic {
  const all = size + 1;
  const [values, first, second] = [new Float64Array(all), new Float64Array(all), new Float64Array(all)];
  for (let round = 1; round <= rounds; round += 1) {
    const slope = values.map((value, at) => (at === size ? 0 : penalty * value));
    for (const example of examples) {
      const error = example.weight * (chanceOf(example, { bias: values[size] ?? 0, weights: values }) - example.says);
      for (let at = 0; at < example.columns.length; at += 1) {
        const column = example.columns[at] ?? 0;
        slope[column] = (slope[column] ?? 0) + error * (example.values[at] ?? 0);
      }
      slope[size] = (slope[size] ?? 0) + error;
    }
    for (let at = 0; at < all; at += 1) {
      const now = slope[at] ?? 0;
      first[at] = FORGETS * (first[at] ?? 0) + (1 - FORGETS) * now;
      second[at] = FORGETS_SQUARES * (second[at] ?? 0) + (1 - FORGETS_SQUARES) * now * now;
      const step = (first[at] ?? 0) / (1 - FORGETS ** round);
      values[at] = (values[at] ?? 0) - (STEP * step) / (Math.sqrt((second[at] ?? 0) / (1 - FORGETS_SQUARES ** round)) + TINY);
    }
  }
  return { bias: values[size] ?? 0, weights: values.slice(0, size) };
}

/** How likely it is, 0 to 1, that something is so. */
export function chanceOf({ columns, values }: Pick<Example, 'columns' | 'values'>, { bias, weights }: Logistic): number {
  let sum = bias;
  for (let at = 0; at < columns.length; at += 1) sum += (values[at] ?? 0) * (weights[columns[at] ?? 0] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
