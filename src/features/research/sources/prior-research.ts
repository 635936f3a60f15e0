import { shorten } from '#lib/text.ts';
import { stableId } from '#lib/ids.ts';
import { earlierUrl, forOthers, type EarlierResearch } from '../earlier-research.ts';
import { listPrior, type PriorResearch } from '../research-access-store.ts';
import type { Source } from './source.ts';

const LOOKED_AT = 60;
const KEPT = 4;
const SIMILAR_AT_LEAST = 0.3;

/** Research that was done before in the same markets and that the caller may see: the own and what others made public. */
export const searchPrior: Source = {
  name: 'prior_research',
  seconds: 5,
  off: () => false,
  search: async ({ job, ctx }, about, signal) => {
    const prior = await listPrior(ctx.db, job.user_id, about.categoryIds, job.id, LOOKED_AT);
    if (prior.length === 0) return { findings: [], found: 0, warning: null };
    const [vector] = await ctx.embeddings.embed([about.normalizedIdea], signal);
    const near = prior
      .map((entry) => ({ entry, similarity: similarity(entry.embedding, vector) }))
      .filter((candidate) => candidate.similarity >= SIMILAR_AT_LEAST)
      .sort((left, right) => right.similarity - left.similarity)
      .slice(0, KEPT);
    return { findings: [], earlier: near.map(({ entry }) => asSource(entry, job.id)), found: prior.length, warning: null };
  },
};

/** Of a research that may rest on others again only what stands without them. The words of its idea stay out. */
function asSource({ id, completedAt, artifact, own }: PriorResearch, jobId: string): EarlierResearch {
  const { recommendation, product_category: market, market: found } = forOthers(artifact);
  const { score, verdict } = recommendation;
  const names = found.competitors.slice(0, 8).map(({ name }) => name);
  const text = `${own ? 'Your' : 'A public'} research of ${completedAt.toISOString().slice(0, 10)} in ${market} scored ${score === null ? 'nothing' : Math.round(score)} (${verdict.replaceAll('_', ' ')}). It found: ${names.join(', ')}.`;
  return {
    market,
    score,
    verdict,
    row: {
      id: stableId(`${jobId} prior ${id}`),
      source_kind: 'prior_research',
      source_url: earlierUrl(id),
      title: `Earlier research in ${market}`,
      snippet: shorten(text, 300),
      confidence: 0.5,
      freshness_score: 0.5,
      fetched_at: completedAt.toISOString(),
    },
  };
}

const similarity = (left: readonly number[] | null, right: readonly number[] | undefined): number => {
  if (!left || !right || left.length !== right.length) return 0;
  let sum = 0;
  for (const [index, value] of left.entries()) sum += value * (right[index] ?? 0);
  return sum;
};
