import { count, listOf } from '#lib/text.ts';
import { knowsMarket, type ResearchArtifact } from '#features/research';
import type { Material } from '../planner.ts';
import type { SelectedFeature } from '../schema.ts';

/** What linked research says for a feature; empty where it says nothing. */
export type Support = {
  description: string;
  /** Why it is worth building, as the research found. */
  why: string;
  evidenceIds: string[];
  /** No known rival is recorded with it. */
  unseen: boolean;
  /** The way of building that a feature research recommends, and what it warns of. */
  approach: string;
  risks: { reason: string; mitigation: string }[];
};

const NAMED = 3;
const EVIDENCE = 8;
/** Likelihood times impact, 1 to 25, from which a warning is worth repeating. */
const GRAVE = 12;

/** Looked up by id, else by name, in every linked research; the first that knows the feature answers. */
export function supportOf(feature: SelectedFeature, { research, findings }: Material): Support {
  const found = research
    .filter(knowsMarket)
    .map((artifact) => inResearch(feature, artifact))
    .find((support) => support !== undefined);
  return { description: '', why: '', evidenceIds: [], unseen: false, ...found, ...inFindings(feature, findings) };
}

function inResearch(
  feature: SelectedFeature,
  artifact: ResearchArtifact,
): Pick<Support, 'description' | 'why' | 'evidenceIds' | 'unseen'> | undefined {
  const known = artifact.features.find(({ id, name }) => id === feature.id || fold(name) === fold(feature.label));
  const { phase_1: first, phase_2: second } = artifact.build_readiness;
  const item = [...first, ...second].find(({ id, label }) => id === feature.id || fold(label) === fold(feature.label));
  if (!known && !item) return undefined;
  const evidenceIds = [...new Set([...(item?.evidence_ids ?? []), ...(known?.evidence_ids ?? [])])].slice(0, EVIDENCE);
  const why = item?.reason ?? (known ? heldBy(known.held_by, artifact) : '');
  return { description: known?.description ?? '', why, evidenceIds, unseen: known?.tier === 'only_this_idea' };
}

function heldBy(holders: readonly string[], { market }: ResearchArtifact): string {
  const rivals = market.competitors;
  if (rivals.length === 0) return '';
  const names = rivals.filter(({ id }) => holders.includes(id)).map(({ name }) => name);
  if (names.length === 0) return `None of the ${rivals.length} known rivals is recorded with it.`;
  const some = `${listOf(names.slice(0, NAMED))}${names.length > NAMED ? ' among them' : ''}`;
  return `${count(names.length, 'known rival has', 'known rivals have')} it, of ${rivals.length}: ${some}.`;
}

function inFindings(feature: SelectedFeature, findings: Material['findings']): Pick<Support, 'approach' | 'risks'> {
  const analysis = findings?.analyses.find(({ feature_id: id, feature_name: name }) => id === feature.id || fold(name) === fold(feature.label));
  const approach = analysis?.technical_approaches.find(({ recommended }) => recommended);
  return {
    approach: approach ? `Recommended way: ${approach.name}. ${approach.when}` : '',
    risks: (analysis?.risks ?? [])
      .filter(({ likelihood, impact }) => likelihood * impact >= GRAVE)
      .slice(0, 2)
      .map(({ risk, mitigation }) => ({ reason: risk, mitigation })),
  };
}

const fold = (text: string): string => text.trim().toLowerCase();
