import { shorten } from '#lib/text.ts';
import { stableId } from '#lib/ids.ts';
import { priorUrl } from '../private-prior.ts';
import { listPrior, type PriorResearch } from '../research-store.ts';
import type { Source } from '../stages/search.ts';
import type { Finding } from '../analyst.ts';

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
    return { findings: near.map(({ entry }) => finding(entry, job.id)), found: prior.length, warning: null };
  },
};

/**
 * @NOTE The words of the earlier idea stay out: what an analyst does not see, no sentence can quote, and a report may be
 * shared or cloned although the earlier research is private.
 */
function finding({ id, completedAt, artifact, own }: PriorResearch, jobId: string): Finding {
  const { score, verdict } = artifact.recommendation;
  const market = artifact.product_category;
  const competitors = artifact.market.competitors.slice(0, 8).map(({ name, url }) => ({ name, url }));
  const names = competitors.map((competitor) => competitor.name).join(', ');
  const text = `${own ? 'Your' : 'A public'} research of ${completedAt.toISOString().slice(0, 10)} in ${market} scored ${Math.round(score)} (${verdict.replace('_', ' ')}). It found: ${names}.`;
  return {
    id: stableId(`${jobId} prior ${id}`),
    kind: 'prior_research',
    url: priorUrl(id),
    title: `Earlier research in ${market}`,
    snippet: shorten(text, 300),
    text,
    confidence: 0.5,
    freshness: 0.5,
    fetchedAt: completedAt.toISOString(),
    facts: { kind: 'prior', jobId: id, idea: market, score, verdict, competitors },
  };
}

const similarity = (left: readonly number[] | null, right: readonly number[] | undefined): number => {
  if (!left || !right || left.length !== right.length) return 0;
  let sum = 0;
  for (const [index, value] of left.entries()) sum += value * (right[index] ?? 0);
  return sum;
};
