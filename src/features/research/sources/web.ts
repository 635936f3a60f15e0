import { shorten, truncate } from '#lib/text.ts';
import { stableId } from '#lib/ids.ts';
import type { SearchHit } from '#platform/ports/web-search/port.ts';
import type { Finding, Interpretation } from '../analyst.ts';
import type { ResearchRun } from '../research-run.ts';
import { recallProducts } from './remembered.ts';
import type { Found, Source } from './source.ts';

const HITS_PER_QUERY = 8;
const QUERIES = 4;
const PAGES = 12;
const PAGE_SECONDS = 8;
const TEXT = 3000;
/** What the interface gives to rows that were fetched now. */
const LIVE = { confidence: 0.7, freshness: 0.9 };

/** The web: the homepages of products that a model remembers, and what a search finds. */
export const searchWeb: Source = {
  name: 'web',
  seconds: 25,
  off: ({ ctx }, { remembered = [] }) => ctx.search === undefined && remembered.length === 0,
  search: async (run, about, signal) => {
    run.ctx.pages.prepare();
    const [recalled, searched] = await Promise.all([
      recallProducts(run, about, signal),
      searchPages(run, about, signal).catch((error: unknown) => ({ error })),
    ]);
    if (!('error' in searched)) {
      const findings = [...recalled.findings, ...searched.findings];
      return { ...searched, findings, found: searched.found + recalled.findings.length, fromMemory: recalled.fromMemory };
    }
    signal.throwIfAborted();
    if (recalled.findings.length + recalled.fromMemory.length === 0) throw searched.error;
    run.ctx.log.warn({ err: searched.error }, 'the web search failed');
    return { ...recalled, found: recalled.findings.length, warning: 'The web search failed; only pages of products that the model named were read.' };
  },
};

/** One round of searches side by side, then the pages they name, side by side as well. */
async function searchPages({ ctx, job }: ResearchRun, about: Interpretation, signal: AbortSignal): Promise<Found> {
  const engine = ctx.search;
  if (!engine) return { findings: [], found: 0, warning: null };
  const queries = about.queries.slice(0, QUERIES);
  const answers = await Promise.allSettled(queries.map((query) => engine.search(query, { count: HITS_PER_QUERY, signal })));
  const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  if (failed.length > 0 && failed.length === answers.length) throw failed[0];
  const hits = byTurns(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : [])));
  const read = await Promise.all(hits.slice(0, PAGES).map((hit) => readHit(ctx, job.id, hit, signal)));
  const unread = read.filter((entry) => !entry.read).length;
  const warnings = [
    failed.length > 0 ? `${failed.length} of ${queries.length} web searches failed.` : '',
    unread > 0 ? `${unread} of ${read.length} pages could not be read; what the search said of them is used.` : '',
  ].filter(Boolean);
  return { findings: read.map((entry) => entry.finding), found: hits.length, warning: warnings.length > 0 ? warnings.join(' ') : null };
}

async function readHit(ctx: ResearchRun['ctx'], jobId: string, hit: SearchHit, signal: AbortSignal): Promise<{ finding: Finding; read: boolean }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PAGE_SECONDS * 1000)]);
  const page = await ctx.pages.read(hit.url, limit).catch(() => null);
  const text = page ? page.text : hit.snippet;
  const finding: Finding = {
    id: stableId(`${jobId} web ${hit.url}`),
    kind: 'web',
    url: hit.url,
    title: shorten(page?.title || hit.title || hit.url, 160),
    snippet: shorten(hit.snippet || text, 300),
    text: truncate(text, TEXT),
    ...LIVE,
    fetchedAt: ctx.clock.now().toISOString(),
    facts: null,
  };
  return { finding, read: page !== null };
}

/** The best of each query first, then the second of each …; one hit per address. */
function byTurns(lists: readonly SearchHit[][]): SearchHit[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const seen = new Set<string>();
  const turns: SearchHit[] = [];
  for (let place = 0; place < longest; place += 1) {
    for (const list of lists) {
      const hit = list[place];
      const url = hit ? URL.parse(hit.url) : null;
      if (!hit || !url || !['http:', 'https:'].includes(url.protocol)) continue;
      url.hash = '';
      if (seen.has(url.href)) continue;
      seen.add(url.href);
      turns.push({ ...hit, url: url.href });
    }
  }
  return turns;
}
