import { shorten } from '#lib/text.ts';
import { checkPlan } from '../check-plan.ts';
import type { Material, NodeView, Origin, PlannedNode, Planner } from '../planner.ts';
import type { Days } from '../schema.ts';
import { assessByRules } from './assess.ts';
import { ownParts, slicesOf } from './decompose.ts';
import { fill, type Slots } from './fill.ts';
import { FITS, isForeign, matchPatterns } from './match.ts';
import { findPart, openPatterns, type Part } from './patterns.ts';
import { daysOfPart, planRoots } from './plan-roots.ts';
import { supportOf } from './support.ts';
import { thingOf } from './thing.ts';
import { readWording } from './wording.ts';

/** Plans by a written library of build patterns: the same material gives the same plan, without network or key. */
export function rulePlanner(): Planner {
  return {
    engine: { planner: 'rule', provider: null, model: null },
    roots: async (material) => rootsByRules(material),
    children: async (material, node) => partsByRules(material, node),
    assess: async (material, node) => assessByRules(material, node),
  };
}

export const rootsByRules = (material: Material) => checkPlan({ nodes: planRoots(material), repairs: 0, fallbacks: 0 });

export const partsByRules = (material: Material, node: NodeView) => checkPlan({ nodes: childrenByRules(material, node), repairs: 0, fallbacks: 0 });

/** The parts of a node: those its pattern has, else those its description gives, else slices of the work itself. */
export function childrenByRules(material: Material, node: NodeView): PlannedNode[] {
  const { origin } = node;
  if (origin.by === 'pattern') {
    const parts = origin.part ? (findPart(origin.pattern, origin.part)?.children ?? []) : (openPatterns().get(origin.pattern)?.children ?? []);
    const whole = parts.map((part): Part => ({ children: [], ...part }));
    if (whole.length > 0) return fromParts(whole, node, slotsFor(material, origin), origin);
  }
  if (origin.by === 'feature') {
    const feature = material.features.find(({ id }) => id === origin.feature) ?? { id: origin.feature, label: node.name, source: 'manual' };
    return fromPieces(ownParts(feature.label, supportOf(feature, material).description, readWording(material)), node);
  }
  if (origin.by === 'model' && node.depth === 0) {
    const [match] = matchPatterns(node.name, node.description);
    if (match && match.score >= FITS) {
      const wording = readWording(material);
      const from = { by: 'pattern', pattern: match.pattern.id, part: '', feature: null, own: false } satisfies Origin;
      return fromParts(match.pattern.children, node, { ...wording, thing: thingOf(node.name, match.stems, wording) }, from);
    }
    return fromPieces(ownParts(node.name, node.description, readWording(material)), node);
  }
  return fromPieces(slicesOf(node), node);
}

function slotsFor(material: Material, origin: Extract<Origin, { by: 'pattern' }>): Slots {
  const wording = readWording(material);
  const feature = material.features.find(({ id }) => id === origin.feature);
  if (!feature) return { ...wording, thing: wording.object };
  const matches = matchPatterns(feature.label, supportOf(feature, material).description, isForeign(material.idea));
  const match = (origin.own ? matches.find(({ pattern }) => pattern.id === origin.pattern) : undefined) ?? matches[0];
  return { ...wording, thing: thingOf(feature.label, match?.stems ?? new Set(), wording, match?.pattern) };
}

function fromParts(parts: readonly Part[], node: NodeView, slots: Slots, origin: Extract<Origin, { by: 'pattern' }>): PlannedNode[] {
  const names = new Map(parts.map((part) => [part.key, fill(part.name, slots)]));
  return parts.map((part): PlannedNode => {
    const days = daysOfPart(part);
    return {
      ...childOf(node, part.key),
      name: names.get(part.key) ?? part.name,
      description: fill(part.description, slots),
      ...riskOfDays(days, node),
      days,
      acceptance: part.acceptance.map((text) => fill(text, slots)),
      dependsOn: part.after.map((key) => ({ key: `${node.key}/${key}`, reason: `Builds on "${shorten(names.get(key) ?? key, 90)}"` })),
      expands: part.children.length > 0 ? 'now' : later(days),
      origin: { ...origin, part: origin.part ? `${origin.part}/${part.key}` : part.key },
    };
  });
}

function fromPieces(pieces: ReturnType<typeof ownParts>, node: NodeView): PlannedNode[] {
  const names = new Map(pieces.map(({ key, name }) => [key, name]));
  return pieces.map((piece): PlannedNode => ({
    ...childOf(node, piece.key),
    name: piece.name,
    description: piece.description,
    ...riskOfDays(piece.days, node),
    days: piece.days,
    acceptance: piece.acceptance,
    dependsOn: piece.after.map((key) => ({ key: `${node.key}/${key}`, reason: `Comes after "${shorten(names.get(key) ?? key, 90)}"` })),
    expands: later(piece.days),
    origin: { by: 'node' },
  }));
}

/** A part serves what its node serves, and rests on what that rests on. */
const childOf = ({ key, featureIds, evidenceIds }: NodeView, own: string) => ({
  key: `${key}/${own}`,
  featureIds: [...featureIds],
  evidenceIds: [...evidenceIds],
});

/** What takes a day at most is one piece of work. */
const later = ({ high }: Days): 'later' | 'never' => (high > 1 ? 'later' : 'never');

function riskOfDays({ low, high }: Days, parent: NodeView): Pick<PlannedNode, 'risk' | 'riskReasons' | 'mitigations'> {
  const wide = high >= 3 && high / low >= 2.5;
  if (!wide && high < 4) return { risk: 'green', riskReasons: [], mitigations: [] };
  return {
    risk: 'yellow',
    riskReasons: [`Between ${low} and ${high} days: how much it is shows only on real cases`],
    mitigations: [parent.mitigations[0] ?? 'Try the hardest real case first'],
  };
}
