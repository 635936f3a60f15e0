import { count, listOf, shorten } from '#lib/text.ts';
import type { Assessment, Material, NodeView } from '../planner.ts';
import type { Risk } from '../schema.ts';
import { openPatterns } from './patterns.ts';
import { supportOf } from './support.ts';

type Finding = { points: number; reason: string; mitigation: string };

const RED_FROM = 4;
const YELLOW_FROM = 2;
const MANY_DEPENDENTS = 3;
const WIDE_RANGE = 3;
const LONG_DAYS = 12;

/**
 * Adds up what speaks for trouble: what is known of such work (2 or 4 points), how much waits for it, how far the
 * estimate ranges, whether anything like it was built before, whether anybody wants it. 4 points are red, 2 yellow.
 */
export function assessByRules(material: Material, node: NodeView): Assessment {
  const findings = [...known(node), ...waitsForIt(node), ...estimate(node), ...untried(node), ...unwanted(material, node)];
  const points = findings.reduce((sum, finding) => sum + finding.points, 0);
  const risk: Risk = points >= RED_FROM ? 'red' : points >= YELLOW_FROM ? 'yellow' : 'green';
  const reasons = findings.map(({ reason }) => reason);
  const mitigations = [...new Set(findings.map(({ mitigation }) => mitigation).filter(Boolean))];
  if (reasons.length === 0) reasons.push(`Well-understood work of ${node.days.low} to ${node.days.high} days on which nothing else waits`);
  return {
    risk,
    rationale: rationaleOf(node, risk, reasons),
    reasons,
    mitigations: mitigations.length > 0 ? mitigations : ['Check each acceptance criterion before calling it done'],
  };
}

function known({ origin, riskReasons, mitigations, risk, depth }: NodeView): Finding[] {
  const pattern = origin.by === 'pattern' ? openPatterns().get(origin.pattern) : undefined;
  const level = depth === 0 ? (pattern?.risk.level ?? risk) : risk;
  const points = level === 'red' ? 4 : level === 'yellow' ? 2 : 0;
  return riskReasons.map((reason, at) => ({ points: at === 0 ? points : 0, reason, mitigation: mitigations[at] ?? '' }));
}

function waitsForIt({ dependents }: NodeView): Finding[] {
  if (dependents.length < MANY_DEPENDENTS) return [];
  return [
    {
      points: 1,
      reason: `${count(dependents.length, 'part waits', 'parts wait')} for it: ${listOf(dependents.slice(0, 3).map((name) => shorten(name, 60)))}${dependents.length > 3 ? ' among them' : ''}`,
      mitigation: 'Build a thin version first, so that the others can begin against it',
    },
  ];
}

function estimate({ days: { low, high } }: NodeView): Finding[] {
  if (high / low >= WIDE_RANGE && high >= 3) {
    return [
      {
        points: 1,
        reason: `The estimate ranges from ${low} to ${high} days`,
        mitigation: 'Spend half a day on the part nobody is sure of, then estimate again',
      },
    ];
  }
  return high > LONG_DAYS
    ? [
        {
          points: 1,
          reason: `It takes up to ${high} days, too long to notice early that it goes wrong`,
          mitigation: 'Take it apart until each piece can be checked within a week',
        },
      ]
    : [];
}

const untried = ({ origin }: NodeView): Finding[] =>
  origin.by === 'feature'
    ? [{ points: 1, reason: 'Its days are a placeholder: no known way of building fits it', mitigation: 'Look at it for a day and estimate it then' }]
    : [];

function unwanted(material: Material, { featureIds, depth }: NodeView): Finding[] {
  if (depth > 0 || featureIds.length !== 1) return [];
  const feature = material.features.find(({ id }) => id === featureIds[0]);
  if (!feature || !supportOf(feature, material).unseen) return [];
  return [
    {
      points: 1,
      reason: 'No known rival is recorded with it: that it is wanted is not shown yet',
      mitigation: 'Offer it by hand to five people first and count who comes back',
    },
  ];
}

function rationaleOf({ name }: NodeView, risk: Risk, reasons: readonly string[]): string {
  const level = { green: 'low', yellow: 'medium', red: 'high' }[risk];
  const [first = '', second] = reasons;
  return `The risk of "${shorten(name, 90)}" is ${level}. ${first}.${second ? ` ${second}.` : ''}`;
}
