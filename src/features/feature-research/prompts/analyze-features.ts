import { z } from 'zod';
import { MATERIAL_RULES, type Fence } from '#platform/llm/material.ts';
import type { EvidenceSource, FeatureCase } from '../analyst.ts';
import { eachOnce, materialOf, type Material } from './material.ts';

const Ids = z.array(z.string()).default([]);
const Grade = z.number().min(1).max(5);

const FeatureAnswer = z.object({
  id: z.string(),
  summary: z.string(),
  implementations: z.array(z.object({ name: z.string(), how: z.string(), evidence: Ids })).default([]),
  common_patterns: z.array(z.object({ text: z.string(), evidence: Ids })).default([]),
  technical_approaches: z
    .array(
      z.object({
        name: z.string(),
        when: z.string(),
        trade_offs: z.string(),
        days_low: z.number(),
        days_high: z.number(),
        recommended: z.boolean().default(false),
        evidence: Ids,
      }),
    )
    .default([]),
  edge_cases: z.array(z.object({ text: z.string(), evidence: Ids })).default([]),
  oss_landscape: z.array(z.object({ name: z.string(), use_for: z.string(), evidence: Ids })).default([]),
  risks: z.array(z.object({ risk: z.string(), likelihood: Grade, impact: Grade, mitigation: z.string(), evidence: Ids })).default([]),
});
export type FeatureAnswer = z.output<typeof FeatureAnswer>;

export const AnalyzeFeaturesAnswer = z.object({ features: z.array(FeatureAnswer) });

export const ANALYZE_FEATURES_SYSTEM = `You tell a founder and one experienced developer how the features of their product are built: who has each, how it is usually done, what bites, and what to take ready-made. Everything you say rests on the material. Your own part is to choose, to connect, and to say it for this idea and these users instead of in general. You answer with one entry for each feature you were asked about, under its id; what you say of one you do not repeat of another.

Fields of an entry:
- summary: two sentences. What the feature technically comes down to for this idea, and how common it is in the market.
- implementations: products in the material that have it. name exactly as the material writes it; how in one sentence, only as far as the material tells (say so when it does not); evidence, at least one id.
- common_patterns: 2 to 5 ways in which it is usually built or met by users, in words of this idea.
- technical_approaches: 2 to 4 that truly differ. name, when it fits, trade_offs, days_low and days_high for one experienced developer (start from the days in the material and change them only for a reason that lies in this idea), recommended true for exactly one: the right one for a first release of this idea.
- edge_cases: 3 to 7 cases that this product will really meet, concrete enough to write a test from.
- oss_landscape: only projects that stand in the material as open-source projects. name as written; use_for: what it would do here.
- risks: 1 to 4 with likelihood and impact from 1 to 5 and a mitigation that somebody can begin tomorrow.

What the material does not tell of a feature you leave empty and say so in its summary; an empty list is an answer.

${MATERIAL_RULES}`;

/** Characters of a source's text that are shown, by its kind. */
const SHOWN: Record<EvidenceSource['kind'], number> = {
  knowledge: 1300,
  open_source: 140,
  canonical_company: 200,
  canonical_feature: 200,
  prior_research: 300,
  web: 900,
};
/** Products that are shown for one feature. */
const PRODUCTS = 6;

/** What bears on these features: of topics those that the features come down to, of products the first few. */
const sourcesFor = (cases: readonly FeatureCase[]): EvidenceSource[] => {
  const all = cases.flatMap(({ feature, sources }) => shownOf(feature.topics, sources));
  return eachOnce([...new Map(all.map((source) => [source.id, source])).values()]);
};

function shownOf(topics: FeatureCase['feature']['topics'], sources: readonly EvidenceSource[]): EvidenceSource[] {
  const own = new Set(topics.map(({ id }) => id));
  const products = sources.filter(({ kind }) => kind === 'canonical_company').slice(0, PRODUCTS);
  return sources.filter(
    (source) => (source.kind !== 'knowledge' || own.has(source.topicId ?? '')) && (source.kind !== 'canonical_company' || products.includes(source)),
  );
}

export const analysisMaterial = (cases: readonly FeatureCase[], fence: Fence): Material =>
  materialOf(sourcesFor(cases), fence, ({ kind }) => SHOWN[kind]);

export function analyzeFeaturesPrompt(cases: readonly FeatureCase[], material: Material, fence: Fence): string {
  const features = cases.map(({ feature, sources }) => {
    const known = [
      `${feature.id} = ${feature.name}`,
      !feature.canonical && feature.description && `What it does: ${feature.description}`,
      feature.canonical && feature.canonical.name !== feature.name && `Called: ${feature.canonical.name}`,
      feature.rivalsKnown > 0 && `Recorded: ${feature.holders}/${feature.rivalsKnown}`,
      `On it: ${[...new Set(sources.flatMap(({ id }) => material.shortOf(id) ?? []))].join(', ') || 'nothing'}`,
    ];
    return fence.clean(known.filter(Boolean).join('. '));
  });
  const lines = [
    'The idea:',
    fence.clean(cases[0]?.idea ?? ''),
    'What was gathered:',
    ...material.lines,
    'The features, each with its id:',
    ...features,
  ];
  return [fence.around('What was gathered', lines.join('\n')), 'How is each of these features built for this idea?'].join('\n\n');
}
