import type { StoredVector } from './vector-store.ts';

type Near = { projectId: string; similarity: number };

/** One owner's vectors in one block of memory, kept up with the database by the number of the last one that was read. */
export type VectorMemory = {
  lastNo(): number;
  /** Adds vectors, or puts them in the place of those that their projects had. */
  add(vectors: readonly StoredVector[]): void;
  remove(projectId: string): void;
  /** The vectors with the largest dot product, best first; 0 to 1. Vectors of another length are left out. */
  nearest(vector: ArrayLike<number>, limit: number): Near[];
  bytes(): number;
};

const FIRST_ROOM = 16;

/** @param dimensions length of the vectors; others are not kept */
export function vectorMemory(dimensions: number): VectorMemory {
  let block = new Float32Array(FIRST_ROOM * dimensions);
  let last = 0;
  const ids: string[] = [];
  const places = new Map<string, number>();

  const placeFor = (projectId: string): number => {
    const known = places.get(projectId);
    if (known !== undefined) return known;
    const place = ids.push(projectId) - 1;
    places.set(projectId, place);
    if ((place + 1) * dimensions > block.length) {
      const larger = new Float32Array(block.length * 2);
      larger.set(block);
      block = larger;
    }
    return place;
  };
  const remove = (projectId: string): void => {
    const place = places.get(projectId);
    const moved = ids.at(-1);
    if (place === undefined || moved === undefined) return;
    // The last one takes its place, so that the block has no gaps.
    block.copyWithin(place * dimensions, (ids.length - 1) * dimensions, ids.length * dimensions);
    ids[place] = moved;
    places.set(moved, place);
    places.delete(projectId);
    ids.pop();
  };

  return {
    lastNo: () => last,
    bytes: () => block.byteLength,
    remove,
    add: (vectors) => {
      for (const { projectId, no, vector } of vectors) {
        last = Math.max(last, no);
        if (vector.length !== dimensions) {
          remove(projectId);
          continue;
        }
        // It may make the block larger, so it comes first.
        const place = placeFor(projectId);
        block.set(vector, place * dimensions);
      }
    },
    nearest: (vector, limit) => {
      const best: Near[] = [];
      const similarities = dotProducts(block, ids.length, Float64Array.from(vector));
      for (const [place, projectId] of ids.entries()) {
        const similarity = Math.min(1, Math.max(0, similarities[place] ?? 0));
        if (best.length === limit && similarity <= (best.at(-1)?.similarity ?? 0)) continue;
        const behind = best.findIndex((other) => other.similarity < similarity);
        best.splice(behind < 0 ? best.length : behind, 0, { projectId, similarity });
        if (best.length > limit) best.pop();
      }
      return best;
    },
  };
}

/** The dot products of a vector with the first `count` of a block: one function with both loops, which the engine makes fastest. */
function dotProducts(block: Float32Array, count: number, vector: Float64Array): Float64Array {
  const products = new Float64Array(count);
  const { length } = vector;
  for (let place = 0; place < count; place += 1) {
    const from = place * length;
    let sum = 0;
    for (let at = 0; at < length; at += 1) sum += (block[from + at] ?? 0) * (vector[at] ?? 0);
    products[place] = sum;
  }
  return products;
}
