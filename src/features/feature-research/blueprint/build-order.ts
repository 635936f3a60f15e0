import type { PartEdge } from '../analyst.ts';
import type { BlueprintPart } from '../schema.ts';

export type Ordered = { part: BlueprintPart; needs: PartEdge[]; unlocks: PartEdge[] };

/**
 * Parts in an order in which everything stands on what came before: each feature in its turn, right after what it needs.
 * An edge that would close a circle is left out.
 */
export function orderParts(parts: readonly BlueprintPart[], edges: readonly PartEdge[], priorities: readonly string[]): Ordered[] {
  const kept = withoutCircles(edges);
  const byId = new Map(parts.map((part) => [part.id, part]));
  const placed = new Map<string, BlueprintPart>();
  const place = (part: BlueprintPart): void => {
    if (placed.has(part.id)) return;
    for (const { from } of kept.filter(({ to }) => to === part.id)) {
      const below = byId.get(from);
      if (below) place(below);
    }
    placed.set(part.id, part);
  };
  const turn = ({ feature_id: id }: BlueprintPart): number => (id === null || !priorities.includes(id) ? priorities.length : priorities.indexOf(id));
  const features = parts.filter(({ kind }) => kind === 'feature').toSorted((left, right) => turn(left) - turn(right));
  for (const part of [...features, ...parts]) place(part);
  return [...placed.values()].map((part) => ({
    part,
    needs: kept.filter(({ to }) => to === part.id),
    unlocks: kept.filter(({ from }) => from === part.id),
  }));
}

/** The edges in their order, without those that would lead back to where they come from. */
export function withoutCircles(edges: readonly PartEdge[]): PartEdge[] {
  const kept: PartEdge[] = [];
  const leads = (from: string, to: string): boolean => from === to || kept.some((edge) => edge.from === from && leads(edge.to, to));
  for (const edge of edges) if (!leads(edge.to, edge.from)) kept.push(edge);
  return kept;
}
