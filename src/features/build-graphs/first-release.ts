import { middleOf } from './effort.ts';
import type { Plan } from './planner.ts';
import { FIRST_RELEASE, USUAL_PARTS } from './states.ts';

/** Leaves as many of the largest nodes to be taken apart at once as a first release has room for; the others wait until somebody asks. */
export function forFirstRelease(plan: Plan): Plan {
  const room = Math.max(0, Math.round((FIRST_RELEASE - plan.nodes.length) / USUAL_PARTS));
  const largest = plan.nodes
    .filter(({ expands }) => expands === 'now')
    .toSorted((left, right) => middleOf(right.days) - middleOf(left.days))
    .slice(0, room);
  return { ...plan, nodes: plan.nodes.map((node) => (node.expands === 'now' && !largest.includes(node) ? { ...node, expands: 'later' } : node)) };
}
