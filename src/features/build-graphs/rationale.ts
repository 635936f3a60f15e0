import { count, listOf } from '#lib/text.ts';
import { dependentsOf } from './tree.ts';
import type { BuildNode, Schedule } from './schema.ts';

const REASONS = 3;
const SHELLS = new Set(['mobile-shell', 'web-shell', 'browser-extension', 'command-line']);

/** Why the parts are built in this order, in a few sentences that name them. Empty for a graph without nodes. */
export function buildOrderRationale(
  roots: readonly BuildNode[],
  { critical_path: critical, parallel_lanes: lanes, total_days: total }: Schedule,
): string {
  if (roots.length === 0) return '';
  const waits = roots
    .map((node) => ({ node, waiting: dependentsOf(roots, node.id) }))
    .sort((left, right) => right.waiting.length - left.waiting.length);
  const [most] = waits;
  const first = roots.filter(({ depends_on: needs }) => needs.length === 0).map(({ name }) => quoted(name));
  const because = roots
    .flatMap((node) => node.depends_on.map(({ node_id: id, reason }) => ({ node, needed: roots.find((other) => other.id === id), reason })))
    // That everything stands on the first part is said already, and that screens need a program goes without saying.
    .filter(({ needed }) => needed && needed.id !== most?.node.id && !SHELLS.has(needed.node_key))
    .slice(-REASONS);
  const risky = roots.filter(({ risk }) => risk === 'red');
  const onPath = new Set(critical.map(({ node_key: key }) => key.split('/')[0]));
  const path = roots.filter(({ node_key: key }) => onPath.has(key));
  return [
    `Begin with ${listOf(first.slice(0, 4))}, which ${first.length === 1 ? 'needs' : 'need'} nothing before ${first.length === 1 ? 'it' : 'them'}.`,
    most && most.waiting.length > 1
      ? `${quoted(most.node.name)} comes early because ${count(most.waiting.length, 'other part waits', 'other parts wait')} for it.`
      : '',
    ...because.map(({ node, needed, reason }) => `${quoted(node.name)} follows ${quoted(needed?.name ?? '')}: ${lower(reason)}.`),
    risky.length > 0 ? `Start the risky parts as soon as they can be started: ${listOf(risky.map(({ name }) => quoted(name)))}.` : '',
    `The longest chain (${listOf(path.map(({ name }) => quoted(name)))}) takes ${range(total.critical_path)}; all the work together is ${range(total)}, in up to ${count(lanes.length, 'lane')} side by side.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const range = ({ low, high }: { low: number; high: number }): string => (low === high ? count(low, 'day') : `${low} to ${high} days`);
const quoted = (name: string): string => `"${name}"`;
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
