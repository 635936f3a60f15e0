import { openCatalogue } from '#features/catalogue';
import type { ResearchArtifact } from '#features/research';
import type { EvidenceSource, Scoped } from '../analyst.ts';
import { plainStems, shareSaid } from '../stems.ts';
import type { Source } from './source.ts';

const MENTIONS = 4;
/** Share of a feature's words that a page has to write to bear on it. */
const MENTIONED = 0.6;

/** The evidence of the linked research: of the rivals that have a feature, of the feature itself, and pages that speak of it. */
export const lookUpResearch: Source = {
  name: 'research',
  seconds: 5,
  off: ({ research }) => research === null,
  search: async ({ research }, { features }) => {
    if (!research) return { found: [], warning: null };
    const sources = new Map(research.evidence.map((row) => [row.id, sourceOf(row, research)]));
    const found = features.map((feature) => ({
      featureId: feature.id,
      sources: [...citedBy(feature, sources), ...mentioning(feature, [...sources.values()])],
    }));
    return { found, warning: null };
  },
};

const citedBy = (feature: Scoped, sources: ReadonlyMap<string, EvidenceSource>): EvidenceSource[] =>
  [...feature.source_ids, ...feature.competitors.flatMap(({ source_ids: ids }) => ids)].flatMap((id) => sources.get(id) ?? []);

function mentioning(feature: Scoped, sources: readonly EvidenceSource[]): EvidenceSource[] {
  const wanted = plainStems(feature.name);
  if (wanted.length === 0) return [];
  return sources.filter(({ kind, text }) => kind === 'web' && shareSaid(wanted, text) >= MENTIONED).slice(0, MENTIONS);
}

type Row = ResearchArtifact['evidence'][number];

function sourceOf(row: Row, { market }: ResearchArtifact): EvidenceSource {
  const rival = market.competitors.find(({ evidence_ids: ids }) => ids[0] === row.id);
  const facts = rival
    ? [rival.pricing ? `Pricing: ${rival.pricing}.` : '', rival.founded ? `Founded ${rival.founded}.` : '', rival.funding ? `${rival.funding}.` : '']
    : [];
  return {
    id: row.id,
    url: row.source_url ?? `research-evidence:${row.id}`,
    title: row.title,
    kind: row.source_kind,
    snippet: row.snippet,
    confidence: row.confidence ?? 0.5,
    text: [row.snippet, ...facts].filter(Boolean).join(' '),
    topicId: null,
    companyId: rival && openCatalogue().company(rival.id) ? rival.id : null,
  };
}
