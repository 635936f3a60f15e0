/**
 * Edits (insert, delete, replace, swap of neighbours) between two words, or `limit + 1` when there are more than `limit`.
 * Optimal string alignment distance; what the words begin and end with alike takes no edit and is left out.
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let start = 0;
  while (start < left.length && start < right.length && left.charCodeAt(start) === right.charCodeAt(start)) start += 1;
  let [leftEnd, rightEnd] = [left.length, right.length];
  while (leftEnd > start && rightEnd > start && left.charCodeAt(leftEnd - 1) === right.charCodeAt(rightEnd - 1)) {
    leftEnd -= 1;
    rightEnd -= 1;
  }
  return alignment(left.slice(start, leftEnd), right.slice(start, rightEnd), limit);
}

function alignment(left: string, right: string, limit: number): number {
  let older: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, (older[column - 2] ?? 0) + 1);
      }
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    if (smallest > limit) return limit + 1;
    older = previous;
    previous = current;
  }
  return Math.min(previous[right.length] ?? limit + 1, limit + 1);
}

const LETTERS = 31;

/** Which letters a word has, as bits; letters beyond the alphabet share some. */
export function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) % LETTERS);
  return bits;
}

/** The letters of each word of a list, worked out at its first use. */
const letterLists = new WeakMap<readonly string[], Int32Array>();

export function lettersIn(words: readonly string[]): Int32Array {
  const known = letterLists.get(words) ?? Int32Array.from(words, lettersOf);
  letterLists.set(words, known);
  return known;
}

/** Whether so few edits may lead from one word to another: each takes away or adds at most one letter and the other. */
export function mayBeWithin(limit: number, left: number, right: number): boolean {
  let differing = left ^ right;
  for (let most = 2 * limit; most > 0; most -= 1) differing &= differing - 1;
  return differing === 0;
}
