import { shorten, truncate } from '#lib/text.ts';
import type { SearchHit } from '#platform/ports/web-search/port.ts';
import type { EvidenceSource, Scoped, ScopeOutput } from '../analyst.ts';
import type { FeatureResearchRun } from '../feature-research-run.ts';
import { urlSourceId } from '../source-ids.ts';
import type { Source } from './source.ts';

const FEATURES = 8;
const HITS = 3;
const PAGE_SECONDS = 8;
const TEXT = 3000;
/** What the interface gives to rows that were fetched now. */
const LIVE = 0.7;

/** The web: one search per feature side by side, then the pages they name. */
export const searchWeb: Source = {
  name: 'web',
  seconds: 25,
  off: ({ ctx }) => ctx.search === undefined,
  search: async (run, scope, signal) => {
    const asked = scope.features.slice(0, FEATURES);
    const answers = await Promise.allSettled(asked.map((feature) => searchFor(run, feature, scope, signal)));
    const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    if (failed.length > 0 && failed.length === answers.length) throw failed[0];
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const unread = found.reduce((sum, entry) => sum + entry.unread, 0);
    const warnings = [
      failed.length > 0 ? `${failed.length} of ${asked.length} web searches failed.` : '',
      unread > 0 ? `${unread} pages could not be read; what the search said of them is used.` : '',
      scope.features.length > FEATURES ? `The web was searched for the first ${FEATURES} features only.` : '',
    ].filter(Boolean);
    return { found, warning: warnings.length > 0 ? warnings.join(' ') : null };
  },
};

async function searchFor(run: FeatureResearchRun, feature: Scoped, { markets }: ScopeOutput, signal: AbortSignal) {
  const engine = run.ctx.search;
  const market = feature.canonical?.market ?? markets[0]?.name ?? '';
  const hits = engine ? await engine.search(`${feature.name} ${market} how it works implementation`, { count: HITS, signal }) : [];
  const pages = await Promise.all(publicOnly(hits).map((hit) => readHit(run, hit, signal)));
  return { featureId: feature.id, sources: pages.map(({ source }) => source), unread: pages.filter(({ read }) => !read).length };
}

async function readHit({ ctx, job }: FeatureResearchRun, hit: SearchHit, signal: AbortSignal): Promise<{ source: EvidenceSource; read: boolean }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PAGE_SECONDS * 1000)]);
  const page = await ctx.pages.read(hit.url, limit).catch(() => null);
  const text = page?.text ?? hit.snippet;
  const source: EvidenceSource = {
    id: urlSourceId(job.id, hit.url),
    url: hit.url,
    kind: 'web',
    title: shorten(page?.title || hit.title || hit.url, 160),
    snippet: shorten(hit.snippet || text, 300),
    confidence: LIVE,
    text: truncate(text, TEXT),
    topicId: null,
    companyId: null,
  };
  return { source, read: page !== null };
}

const publicOnly = (hits: readonly SearchHit[]): SearchHit[] =>
  hits.flatMap((hit) => {
    const url = URL.parse(hit.url);
    if (!url || !['http:', 'https:'].includes(url.protocol)) return [];
    url.hash = '';
    return [{ ...hit, url: url.href }];
  });
