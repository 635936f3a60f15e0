import { collapseSpaces, shorten, slugify } from '#lib/text.ts';
import type { Material, Plan, PlannedNode } from '../planner.ts';
import { planLock, type PlanLock } from './plan-lock.ts';
import { MOST_PARTS } from '../states.ts';
import type { ProposedNode, Shown } from './prompts.ts';

const MOST_WAITING = 260;

/**
 * What a model proposed as a plan. Dropped and counted: nodes without a name or without anything to check, ids of features
 * and of evidence that do not exist, sentences with addresses, prices or shares that nothing shows, and more nodes than a
 * plan may have. Keys become slugs below the parent's.
 */
export function readProposal(
  proposed: readonly ProposedNode[],
  material: Material,
  shown: Shown,
  parent: { key: string; depth: number; featureIds: readonly string[]; evidenceIds: readonly string[] } | null,
): Plan {
  const features = new Set(material.features.map(({ id }) => id));
  const lock = planLock(material);
  const usable = proposed
    .map((node) => lockedNode(node, lock))
    .filter((node) => collapseSpaces(node.name) && node.acceptance_criteria.some((text) => text.trim()) && node.days_high > 0);
  const taken = usable.slice(0, MOST_PARTS);
  let repairs = proposed.length - taken.length + lock.dropped();
  const keyOf = (key: string) => (parent ? `${parent.key}/${slugify(key, 48)}` : slugify(key, 48));
  const nodes = taken.map((node): PlannedNode => {
    const featureIds = [...new Set(node.feature_ids.filter((id) => features.has(id)))];
    const evidenceIds = [...new Set(node.evidence.flatMap((short) => shown.idOf(short) ?? []))];
    repairs += node.feature_ids.length - node.feature_ids.filter((id) => features.has(id)).length;
    repairs += node.evidence.filter((short) => shown.idOf(short) === undefined).length;
    const days = { low: Math.min(node.days_low, node.days_high), high: Math.max(node.days_low, node.days_high) };
    return {
      key: keyOf(node.key || node.name),
      name: shorten(node.name, 160),
      description: shorten(node.description, 1500),
      risk: node.risk,
      riskReasons: node.risk_reasons.map((text) => shorten(text, 400)).slice(0, 6),
      mitigations: node.mitigations.map((text) => shorten(text, 400)).slice(0, 6),
      days,
      waiting: waitingOf(node),
      acceptance: node.acceptance_criteria
        .map((text) => shorten(text, 400))
        .filter(Boolean)
        .slice(0, 6),
      dependsOn: node.depends_on.map(({ key, reason }) => ({ key: keyOf(key), reason: shorten(reason || 'It has to be there first', 300) })),
      featureIds: featureIds.length > 0 ? featureIds : [...(parent?.featureIds ?? [])],
      evidenceIds: evidenceIds.length > 0 ? evidenceIds : [...(parent?.evidenceIds ?? [])],
      expands: expandsOf(days.high, parent?.depth),
      origin: { by: 'model' },
    };
  });
  return { nodes, repairs, fallbacks: 0 };
}

function lockedNode(node: ProposedNode, { sound, aim }: PlanLock): ProposedNode {
  const all = (texts: readonly string[], lock: (text: string) => string): string[] => texts.map(lock).filter(Boolean);
  return {
    ...node,
    name: sound(node.name),
    description: sound(node.description),
    waiting_for: sound(node.waiting_for),
    risk_reasons: all(node.risk_reasons, sound),
    mitigations: all(node.mitigations, sound),
    acceptance_criteria: all(node.acceptance_criteria, aim),
    depends_on: node.depends_on.map(({ key, reason }) => ({ key, reason: sound(reason) })),
  };
}

/** Working days up to a year; what is waited for without a reason is not waited for. */
function waitingOf({ waiting_low: low, waiting_high: high, waiting_for: reason }: ProposedNode): PlannedNode['waiting'] {
  const [least = 0, most = 0] = [low, high].map((days) => Math.min(MOST_WAITING, Math.max(0, days))).toSorted((left, right) => left - right);
  return most > 0 && reason.trim() ? { days: { low: least, high: most }, for: shorten(reason, 200) } : null;
}

/** Roots may be taken apart at once, what is below them when somebody asks; a day's work not at all. */
function expandsOf(high: number, parentDepth: number | undefined): PlannedNode['expands'] {
  if (parentDepth === undefined) return high > 1 ? 'now' : 'later';
  return high > 1 ? 'later' : 'never';
}
