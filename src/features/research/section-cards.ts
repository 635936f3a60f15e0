import type { NewCard } from '#features/cards';
import { count } from '#lib/text.ts';
import type { MarketFeature, ResearchArtifact } from './schema.ts';
import { TERMINAL_STAGE } from './states.ts';

/** Sections of the card graph that a research fills, in the order they are shown. */
export const SECTIONS = ['competitors', 'features', 'signals', 'whitespaces', 'priorities'] as const;
export type Section = (typeof SECTIONS)[number];

const PICKED = 5;

/**
 * The cards of a finished research: one per section, and `priorities_picked`, which ends the graph. A section that
 * cannot be computed gives a `*_failed` card and leaves the others alone.
 */
export function sectionCards(artifact: ResearchArtifact): NewCard[] {
  const sections = SECTIONS.map((section) => sectionCard(section, artifact));
  return [...sections, pickedCard(artifact)];
}

function sectionCard(section: Section, artifact: ResearchArtifact): NewCard {
  try {
    const { title, body } = BODIES[section](artifact);
    return { cardType: `${section}_ready`, title, body, status: 'ready' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { cardType: `${section}_failed`, title: `The section ${section} could not be computed`, body: { section, message }, status: 'failed' };
  }
}

const BODIES: Record<Section, (artifact: ResearchArtifact) => { title: string; body: Record<string, unknown> }> = {
  competitors: ({ incumbents, emerging }) => ({
    title: `${count(incumbents.length, 'incumbent')}, ${count(emerging.length, 'emerging player')}`,
    body: { incumbents, emerging },
  }),
  features: ({ features }) => ({ title: count(features.length, 'feature'), body: { features } }),
  signals: ({ recommendation, evidence_against: against, evidence, quality }) => ({
    title: `${count(quality.evidence_count, 'source')}, ${count(against.length, 'finding')} against the idea`,
    body: { parts: recommendation.parts, evidence_against: against, evidence: evidence.slice(0, 20), quality },
  }),
  whitespaces: ({ whitespaces }) => ({ title: count(whitespaces.length, 'gap'), body: { whitespaces } }),
  priorities: (artifact) => ({ title: 'What to build first', body: { features: prioritiesOf(artifact), next_steps: artifact.next_steps } }),
};

const pickedCard = (artifact: ResearchArtifact): NewCard => {
  const features = prioritiesOf(artifact);
  return {
    cardType: TERMINAL_STAGE,
    title: `${count(features.length, 'feature')} picked to build first`,
    body: { features, picked_count: features.length, verdict: artifact.recommendation.verdict, score: artifact.recommendation.score },
    status: 'ready',
    ctaActions: [{ label: 'Plan the build', action: 'build_plan' }],
  };
};

/** The first phase as it was found ready to build, filled up with what the idea asks for and with table stakes. */
export function prioritiesOf({ build_readiness: ready, features }: ResearchArtifact): { id: string; label: string; reason: string }[] {
  const rank = (feature: MarketFeature): number => (feature.asked_for ? 1 : 0) + (feature.tier === 'table_stakes' ? 0.5 : 0) + feature.frequency / 10;
  const others = [...features]
    .sort((left, right) => rank(right) - rank(left))
    .map((feature) => ({ id: feature.id, label: feature.name, reason: feature.description }));
  const all = [...ready.phase_1.map(({ id, label, reason }) => ({ id, label, reason })), ...others];
  return all.filter((item, index) => all.findIndex((other) => other.id === item.id) === index).slice(0, PICKED);
}
