import type { EvidenceSource, Groundwork, PartEdge, Scoped } from '../analyst.ts';
import { foundationsOf, knowledgeBase, type Topic } from '../knowledge-base.ts';
import type { Approach, BlueprintPart, FeatureAnalysis } from '../schema.ts';

type Days = { low: number; high: number };

/** What is assumed for a feature that nothing known tells how to build; the blueprint says so. */
export const UNKNOWN_DAYS: Days = { low: 3, high: 12 };
/** A second feature of the same topic finds half of the work done. */
const SHARED = 0.5;
/** Further topics of a feature count with a part of their own effort, unless other parts stand on them as well. */
const SECONDARY = 0.3;

const featurePart = (featureId: string): string => `feature:${featureId}`;
const foundationPart = (topicId: string): string => `foundation:${topicId}`;

/** The parts that selected features and their common foundations come to, with days, and what stands on what. */
export function groundworkOf(features: readonly Scoped[], analyses: readonly FeatureAnalysis[], sources: readonly EvidenceSource[]): Groundwork {
  const library = knowledgeBase();
  const owners = ownersOf(features, library);
  const foundations = foundationTopics(features, owners, library);
  const sourceOf = new Map(sources.flatMap(({ kind, topicId, id }) => (kind === 'knowledge' && topicId ? [[topicId, id] as const] : [])));
  const cite = (topicId: string): string[] => [sourceOf.get(topicId) ?? ''].filter(Boolean);
  const foundationParts = foundations.map((topic) => foundationOf(topic, cite(topic.id)));
  const featureParts = features.map((feature) =>
    featureOf(
      feature,
      analyses.find((entry) => entry.feature_id === feature.id),
      owners,
      foundations,
      cite,
    ),
  );
  const partOf = (topicId: string): string | undefined =>
    owners.has(topicId) ? featurePart(owners.get(topicId) ?? '') : foundations.some(({ id }) => id === topicId) ? foundationPart(topicId) : undefined;
  const edges = [
    ...foundations.flatMap((topic) => edgesOf(topic, foundationPart(topic.id), partOf, cite)),
    ...features.flatMap(({ id, topics }) =>
      topics.flatMap((topic, place) => {
        const known = library.get(topic.id);
        const shared =
          place === 0 && owners.get(topic.id) !== id
            ? sharedEdge(featurePart(owners.get(topic.id) ?? ''), featurePart(id), topic.name, cite(topic.id))
            : [];
        return [...shared, ...(known ? edgesOf(known, featurePart(id), partOf, cite) : [])];
      }),
    ),
  ];
  return { parts: [...foundationParts, ...featureParts], edges: withoutRepeats(edges) };
}

/** Which feature does a topic's work: the first whose main topic it is, else one that touches it while others need it. */
function ownersOf(features: readonly Scoped[], library: ReadonlyMap<string, Topic>): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { id, topics } of features) {
    const main = topics[0];
    if (main && !owners.has(main.id)) owners.set(main.id, id);
  }
  const needed = neededTopics(features, library);
  for (const { id, topics } of features) {
    for (const topic of topics.slice(1)) if (needed.has(topic.id) && !owners.has(topic.id)) owners.set(topic.id, id);
  }
  return owners;
}

const neededTopics = (features: readonly Scoped[], library: ReadonlyMap<string, Topic>): Set<string> =>
  new Set(features.flatMap(({ topics }) => topics.slice(0, 1)).flatMap(({ id }) => foundationsOf(id, library)));

function foundationTopics(features: readonly Scoped[], owners: ReadonlyMap<string, string>, library: ReadonlyMap<string, Topic>): Topic[] {
  const needed = neededTopics(features, library);
  return [...needed].filter((id) => !owners.has(id)).flatMap((id) => library.get(id) ?? []);
}

function foundationOf(topic: Topic, sourceIds: string[]): BlueprintPart {
  const lightest = [...topic.approaches].sort((left, right) => left.effort_days[1] - right.effort_days[1])[0];
  const [low, high] = lightest?.effort_days ?? [UNKNOWN_DAYS.low, UNKNOWN_DAYS.high];
  return {
    ...daysOf({ low, high }),
    id: foundationPart(topic.id),
    kind: 'foundation',
    name: topic.name,
    feature_id: null,
    approach: lightest?.name ?? '',
    source_ids: sourceIds,
  };
}

function featureOf(
  feature: Scoped,
  analysis: FeatureAnalysis | undefined,
  owners: ReadonlyMap<string, string>,
  foundations: readonly Topic[],
  cite: (topicId: string) => string[],
): BlueprintPart {
  const approach = recommendedOf(analysis);
  const main = feature.topics[0];
  const base = approach?.effort_days ?? UNKNOWN_DAYS;
  const own = main && owners.get(main.id) !== feature.id ? times(base, SHARED) : base;
  const shareOf = (topicId: string): number => (owners.get(topicId) === feature.id ? 1 : SECONDARY);
  const extra = feature.topics
    .slice(1)
    .filter(({ id }) => (owners.get(id) ?? feature.id) === feature.id && !foundations.some((topic) => topic.id === id));
  const total = extra.reduce((sum, { id }) => plus(sum, times(lightestDays(id), shareOf(id))), own);
  return {
    ...daysOf(total),
    id: featurePart(feature.id),
    kind: 'feature',
    name: feature.name,
    feature_id: feature.id,
    approach: approach?.name ?? 'Not known: a guess until somebody has tried it for a day',
    source_ids: [...new Set([...(approach?.source_ids ?? []), ...extra.flatMap(({ id }) => cite(id))])],
  };
}

export const recommendedOf = (analysis: FeatureAnalysis | undefined): Approach | undefined =>
  analysis?.technical_approaches.find(({ recommended }) => recommended) ?? analysis?.technical_approaches[0];

function lightestDays(topicId: string): Days {
  const [low = 0, high = 0] =
    knowledgeBase()
      .get(topicId)
      ?.approaches.map(({ effort_days: days }) => days)
      .sort((left, right) => left[1] - right[1])[0] ?? [];
  return { low, high };
}

const times = ({ low, high }: Days, factor: number): Days => ({ low: low * factor, high: high * factor });
const plus = (left: Days, right: Days): Days => ({ low: left.low + right.low, high: left.high + right.high });
const half = (days: number): number => Math.max(0.5, Math.round(days * 2) / 2);

/** A range in half days and its middle. */
function daysOf({ low, high }: Days): Pick<BlueprintPart, 'days' | 'days_range'> {
  const range = { low: half(low), high: half(high) };
  return { days: half((range.low + range.high) / 2), days_range: range };
}

const edgesOf = (topic: Topic, to: string, partOf: (topicId: string) => string | undefined, cite: (topicId: string) => string[]): PartEdge[] =>
  topic.depends_on.flatMap(({ topic: below, reason }) => {
    const from = partOf(below);
    return from && from !== to ? [{ from, to, reason, sourceIds: cite(topic.id) }] : [];
  });

const sharedEdge = (from: string, to: string, name: string, sourceIds: string[]): PartEdge[] => [
  { from, to, reason: `Both come down to ${name}; the second finds half of the work done.`, sourceIds },
];

const withoutRepeats = (edges: readonly PartEdge[]): PartEdge[] => [...new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()];
