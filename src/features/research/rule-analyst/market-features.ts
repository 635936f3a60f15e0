import { stemsOf } from '#features/catalogue';
import { slugify } from '#lib/text.ts';
import type { Finding, Interpretation } from '../analyst.ts';
import type { Competitor, MarketFeature } from '../schema.ts';
import { isDistinctive } from './asked-for.ts';
import { capital } from './clean-text.ts';

const MOST_OWN = 3;
const CITED = 8;
const TABLE_STAKES = 0.6;
const COMMON = 0.3;

/** Features whose names are the same words in two markets are one: their ids, each with the id that stands for it. */
export function sameFeatures(findings: readonly Finding[]): Map<string, string> {
  const first = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const { facts } of findings) {
    if (facts?.kind !== 'feature') continue;
    const name = stemsOf(facts.name).join(' ');
    ids.set(facts.featureId, first.get(name) ?? facts.featureId);
    if (!first.has(name)) first.set(name, facts.featureId);
  }
  return ids;
}

/** Every feature of the markets found, with who has it among the rivals, and what only the idea asks for. */
export function marketFeatures(
  about: Interpretation,
  rivals: readonly Competitor[],
  findings: readonly Finding[],
  names: ReadonlyMap<string, string> = sameFeatures(findings),
): MarketFeature[] {
  const asked = new Set(about.askedFor.flatMap(({ featureId }) => (featureId ? (names.get(featureId) ?? featureId) : [])));
  const known = new Map<string, MarketFeature>();
  for (const { id, facts } of findings) {
    if (facts?.kind !== 'feature') continue;
    const featureId = names.get(facts.featureId) ?? facts.featureId;
    const earlier = known.get(featureId);
    if (earlier) {
      earlier.evidence_ids = [...new Set([id, ...earlier.evidence_ids])];
      continue;
    }
    const feature = heldFeature({ id: featureId, name: facts.name, description: facts.description, evidenceId: id }, rivals, asked);
    if (feature.held_by.length > 0 || feature.asked_for) known.set(featureId, feature);
  }
  return [...known.values(), ...ownFeatures(about, rivals)].sort(
    (left, right) => right.frequency - left.frequency || Number(right.asked_for) - Number(left.asked_for) || left.name.localeCompare(right.name),
  );
}

type Named = { id: string; name: string; description: string; evidenceId: string };

function heldFeature({ id, name, description, evidenceId }: Named, rivals: readonly Competitor[], asked: ReadonlySet<string>): MarketFeature {
  const holders = rivals.filter((rival) => rival.features.includes(id));
  const frequency = rivals.length > 0 ? holders.length / rivals.length : 0;
  return {
    id,
    name,
    description,
    tier: tierOf(frequency),
    frequency,
    held_by: holders.map((holder) => holder.id),
    asked_for: asked.has(id),
    evidence_ids: [evidenceId, ...holders.flatMap((holder) => holder.evidence_ids.slice(0, 1))],
  };
}

export function tierOf(frequency: number): MarketFeature['tier'] {
  if (frequency >= TABLE_STAKES) return 'table_stakes';
  if (frequency >= COMMON) return 'common';
  return frequency > 0 ? 'rare' : 'only_this_idea';
}

/** What the idea asks for beyond the market's whole vocabulary; its evidence is the rivals that were looked at and lack it. */
function ownFeatures(about: Interpretation, rivals: readonly Competitor[]): MarketFeature[] {
  return distinctiveClauses(about).map((label) => ({
    id: slugify(label, 48),
    name: capital(label),
    description: `Asked for by the idea; not among the features known of ${rivals
      .slice(0, 2)
      .map(({ name }) => name)
      .join(' or ')}.`,
    tier: 'only_this_idea',
    frequency: 0,
    held_by: [],
    asked_for: true,
    evidence_ids: [...new Set(rivals.flatMap((rival) => rival.evidence_ids.slice(0, 1)))].slice(0, CITED),
  }));
}

/** The clauses of the idea that no feature of its markets stands for. */
function distinctiveClauses(about: Interpretation): string[] {
  return about.askedFor
    .filter(({ label, featureId }) => featureId === null && isDistinctive(label, about.categoryIds))
    .map(({ label }) => label)
    .slice(0, MOST_OWN);
}
