import type { GraphExport } from '#features/build-graphs';

/**
 * Which lines of the outline lie on the longest chain, as places in it; what contains such a line counts too. Names may
 * repeat in a plan, so those of one part are looked for together, below one root.
 */
export function markCritical({ nodes, criticalPath }: Pick<GraphExport, 'nodes' | 'criticalPath'>): Set<number> {
  const marked = new Set<number>();
  const parts = new Map<string, string[]>();
  for (const { node_key: key, name } of criticalPath) {
    const root = key.split('/')[0] ?? key;
    parts.set(root, [...(parts.get(root) ?? []), name]);
  }
  const trees = treesOf(nodes);
  for (const names of parts.values()) {
    const tree = trees.find(({ from, to }) => !marked.has(from) && names.every((name) => nodes.slice(from, to).some(({ title }) => title === name)));
    if (tree) markTree(nodes, tree, new Set(names), marked);
  }
  return marked;
}

type Tree = { from: number; to: number };

function treesOf(nodes: GraphExport['nodes']): Tree[] {
  const starts = nodes.flatMap(({ depth }, index) => (depth === 0 ? [index] : []));
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? nodes.length }));
}

function markTree(nodes: GraphExport['nodes'], { from, to }: Tree, names: ReadonlySet<string>, marked: Set<number>): void {
  const above: number[] = [];
  for (let index = from; index < to; index += 1) {
    const node = nodes[index];
    if (!node) continue;
    above.length = node.depth;
    above[node.depth] = index;
    const isPiece = (nodes[index + 1]?.depth ?? 0) <= node.depth;
    if (isPiece && names.has(node.title)) for (const place of above) if (place !== undefined) marked.add(place);
  }
}
