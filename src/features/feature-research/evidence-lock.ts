import { normaliseText } from '#lib/text.ts';
import type { Counsel, EvidenceSource } from './analyst.ts';
import type { FeatureAnalysis } from './schema.ts';

/** What is left after everything without a source was dropped, and how much that was. */
export type Locked<T> = { value: T; unsupported: number };

/**
 * Keeps of an analysis what rests on the given sources. A product has to be written in what it cites, a project has to be
 * one that a source names at that address.
 */
export function lockAnalysis(analysis: FeatureAnalysis, sources: readonly EvidenceSource[]): Locked<FeatureAnalysis> {
  const lock = lockFor(sources);
  const value: FeatureAnalysis = {
    ...analysis,
    implementations: lock.keep(analysis.implementations, ({ name }, cited) => cited.some((source) => writes(source, name))),
    common_patterns: lock.keep(analysis.common_patterns),
    technical_approaches: lock.keep(analysis.technical_approaches),
    edge_cases: lock.keep(analysis.edge_cases),
    oss_landscape: lock.keep(analysis.oss_landscape, ({ url }, cited) => cited.some((source) => sameAddress(source, url))),
    risks: lock.keep(analysis.risks),
    depends_on: lock.keep(analysis.depends_on),
  };
  return { value, unsupported: lock.dropped() };
}

/** Keeps of a counsel what rests on the job's sources; text that cites nothing at all is a conclusion over the whole. */
export function lockCounsel(
  counsel: Counsel,
  sources: readonly EvidenceSource[],
  featureIds: readonly string[],
  partIds: readonly string[],
): Locked<Counsel> {
  const lock = lockFor(sources);
  const known = new Set(featureIds);
  const parts = new Set(partIds);
  const ofFeatures = <T extends { feature_ids: string[] }>(items: readonly T[]): T[] =>
    items.map((item) => ({ ...item, feature_ids: item.feature_ids.filter((id) => known.has(id)) }));
  const value: Counsel = {
    ...counsel,
    recommendations: ofFeatures(lock.keep(counsel.recommendations)),
    risks: ofFeatures(lock.keep(counsel.risks)),
    edges: counsel.edges
      .filter(({ from, to }) => from !== to && parts.has(from) && parts.has(to))
      .map((edge) => ({ ...edge, sourceIds: edge.sourceIds.filter((id) => lock.knows(id)) })),
    priorities: counsel.priorities.filter((id) => known.has(id)),
  };
  return { value, unsupported: lock.dropped() };
}

function lockFor(sources: readonly EvidenceSource[]) {
  const byId = new Map(sources.map((source) => [source.id, source]));
  let dropped = 0;
  return {
    knows: (id: string): boolean => byId.has(id),
    dropped: () => dropped,
    keep: <T extends { source_ids: string[] }>(items: readonly T[], holds: (item: T, cited: EvidenceSource[]) => boolean = () => true): T[] =>
      items.flatMap((item) => {
        const cited = [...new Set(item.source_ids)].flatMap((id) => byId.get(id) ?? []);
        if (cited.length > 0 && holds(item, cited)) return [{ ...item, source_ids: cited.map(({ id }) => id) }];
        dropped += 1;
        return [];
      }),
  };
}

const writes = (source: EvidenceSource, name: string): boolean => normaliseText(`${source.title} ${source.text}`).includes(normaliseText(name));

const addressOf = (url: string): string =>
  url
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/\/+$/, '')
    .toLowerCase();
const sameAddress = (source: EvidenceSource, url: string): boolean => addressOf(source.url) === addressOf(url) || source.text.includes(url);
