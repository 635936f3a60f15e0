import { listOf } from '#lib/text.ts';
import { lowerFirst } from '../words.ts';
import type { BlueprintCase, Counsel, PartEdge } from '../analyst.ts';
import type { Blueprint, BuildStep, FeatureAnalysis, RiskEntry } from '../schema.ts';
import { orderParts, type Ordered } from './build-order.ts';
import { UNKNOWN_DAYS } from './groundwork.ts';

const HIGH = 12;
const MEDIUM = 6;
const MOST_RISKS = 20;

/** The blueprint from what was decided: order, sums and the matrix are computed here for every analyst alike. */
export function assembleBlueprint({ analyses, groundwork }: BlueprintCase, counsel: Counsel): Blueprint {
  const { parts } = groundwork;
  const ordered = orderParts(parts, [...groundwork.edges, ...counsel.edges], counsel.priorities);
  const names = new Map(parts.map(({ id, name }) => [id, name]));
  const sum = (days: readonly number[]): number => days.reduce((total, next) => total + next, 0);
  return {
    recommendations: counsel.recommendations,
    build_order: ordered.map((entry, place) => stepOf(entry, place + 1, names)),
    risk_matrix: riskMatrix(analyses, counsel),
    total_mvp_days: sum(parts.map(({ days }) => days)),
    mvp_days_range: { low: sum(parts.map(({ days_range: range }) => range.low)), high: sum(parts.map(({ days_range: range }) => range.high)) },
    assumptions: [...standingAssumptions(analyses), ...counsel.assumptions],
    parts: ordered.map(({ part }) => part),
    strategic_summary: counsel.strategicSummary,
  };
}

function stepOf({ part, needs, unlocks }: Ordered, position: number, names: ReadonlyMap<string, string>): BuildStep {
  return {
    position,
    part_id: part.id,
    feature_id: part.feature_id,
    name: part.name,
    days: part.days,
    depends_on: needs.map(({ from }) => from),
    reason: reasonOf(part.kind, needs, unlocks, names),
    source_ids: [...new Set([...part.source_ids, ...needs.flatMap(({ sourceIds }) => sourceIds)])],
  };
}

function reasonOf(
  kind: 'foundation' | 'feature',
  needs: readonly PartEdge[],
  unlocks: readonly PartEdge[],
  names: ReadonlyMap<string, string>,
): string {
  const name = (id: string): string => names.get(id) ?? id;
  const needed = unlocks.map(({ to, reason }) => `${name(to)} (${lowerFirst(reason).replace(/\.$/, '')})`);
  const opens = needed.length > 0 ? `Needed by ${listOf(needed)}.` : '';
  if (kind === 'foundation') return opens || 'Carries what follows.';
  const after = needs.map(({ from, reason }) => `After ${name(from)}: ${reason}`);
  return [...after, opens].filter(Boolean).join(' ') || 'Stands on nothing else here, so it can be built or moved at any time.';
}

function riskMatrix(analyses: readonly FeatureAnalysis[], { risks }: Counsel): RiskEntry[] {
  const entries = new Map<string, RiskEntry>();
  const all = [...analyses.flatMap(({ feature_id: id, risks: own }) => own.map((risk) => ({ ...risk, feature_ids: [id] }))), ...risks];
  for (const risk of all) {
    const known = entries.get(risk.risk);
    const score = risk.likelihood * risk.impact;
    if (known) known.feature_ids = [...new Set([...known.feature_ids, ...risk.feature_ids])];
    else entries.set(risk.risk, { ...risk, score, level: score >= HIGH ? 'high' : score >= MEDIUM ? 'medium' : 'low' });
  }
  return [...entries.values()].sort((left, right) => right.score - left.score || right.impact - left.impact).slice(0, MOST_RISKS);
}

function standingAssumptions(analyses: readonly FeatureAnalysis[]): string[] {
  const thin = analyses.filter(({ depth }) => depth === 'thin').map(({ feature_name: name }) => name);
  return [
    'Days are working days of one experienced developer who knows the stack.',
    'Visual design, content, store review and launch are not counted.',
    ...(thin.length > 0
      ? [
          `For ${listOf(thin)} nothing known tells how to build ${thin.length === 1 ? 'it' : 'them'}: ${UNKNOWN_DAYS.low} to ${UNKNOWN_DAYS.high} days each are a placeholder until a day of trying says more.`,
        ]
      : []),
  ];
}
