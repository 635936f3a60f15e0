import { shorten } from '#lib/text.ts';
import { checkPlan } from '../check-plan.ts';
import { forFirstRelease } from '../first-release.ts';
import type { Material, NodeView, Origin, PlannedNode, Planner } from '../planner.ts';
import type { Days } from '../schema.ts';
import { assessByRules } from './assess.ts';
import { clausesOf, piecesOf, type Piece } from './decompose.ts';
import { findPart, openPatterns, type Part } from './patterns.ts';
import { daysOfPart, planRoots } from './plan-roots.ts';
import { supportOf } from './support.ts';

/** Plans by a written library of build patterns: the same material gives the same plan, without network or key. */
export function rulePlanner(): Planner {
  return {
    engine: { planner: 'rule', provider: null, model: null },
    roots: async (material) => rootsByRules(material),
    children: async (material, nodes) => nodes.map((node) => partsByRules(material, node)),
    assess: async (material, node) => assessByRules(material, node),
  };
}

export const rootsByRules = (material: Material) => forFirstRelease(checkPlan({ nodes: planRoots(material), repairs: 0, fallbacks: 0 }));

export const partsByRules = (material: Material, node: NodeView) => checkPlan({ nodes: childrenByRules(material, node), repairs: 0, fallbacks: 0 });

/** The parts of a node: those its pattern has, else what was asked for one by one; none for a piece of work. What stands beside it is not repeated. */
export function childrenByRules(material: Material, node: NodeView): PlannedNode[] {
  const { origin } = node;
  if (origin.by === 'pattern') {
    const parts = origin.part ? (findPart(origin.pattern, origin.part)?.children ?? []) : (openPatterns().get(origin.pattern)?.children ?? []);
    const whole = parts.map((part): Part => ({ children: [], ...part })).filter(({ name }) => !node.beside.includes(name));
    if (whole.length > 0) return fromParts(whole, node, origin);
  }
  const feature = origin.by === 'feature' ? material.features.find(({ id }) => id === origin.feature) : undefined;
  const asked = feature ? clausesOf(supportOf(feature, material).description) : node.acceptance;
  return piecesOf(asked, node.days).map((piece) => fromPiece(piece, node));
}

function fromParts(parts: readonly Part[], node: NodeView, origin: Extract<Origin, { by: 'pattern' }>): PlannedNode[] {
  const names = new Map(parts.map(({ key, name }) => [key, name]));
  return parts.map((part): PlannedNode => {
    const days = daysOfPart(part);
    return {
      ...childOf(node, part.key),
      name: part.name,
      description: part.description,
      ...riskOfDays(days, node),
      days,
      acceptance: [...part.acceptance],
      dependsOn: part.after.map((key) => ({ key: `${node.key}/${key}`, reason: `Builds on "${shorten(names.get(key) ?? key, 90)}"` })),
      expands: later(days),
      origin: { ...origin, part: origin.part ? `${origin.part}/${part.key}` : part.key },
    };
  });
}

const fromPiece = ({ key, name, days }: Piece, node: NodeView): PlannedNode => ({
  ...childOf(node, key),
  name,
  description: '',
  ...riskOfDays(days, node),
  days,
  acceptance: [name],
  dependsOn: [],
  expands: 'never',
  origin: { by: 'node' },
});

/** A part serves what its node serves, and rests on what that rests on. */
const childOf = ({ key, featureIds, evidenceIds }: NodeView, own: string) => ({
  key: `${key}/${own}`,
  waiting: null,
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
