import { openCatalogue } from '#features/catalogue';
import { stableId } from '#lib/ids.ts';
import { shorten, truncate } from '#lib/text.ts';
import type { PageText } from '#platform/ports/page-reader/port.ts';
import type { Finding, Interpretation, Remembered } from '../analyst.ts';
import { plain } from '../grounding/plain-text.ts';
import type { ResearchRun } from '../research-run.ts';
import type { FromMemory } from '../schema.ts';

const PAGES = 10;
const PAGE_SECONDS = 8;
const TEXT = 3000;
/** What the interface gives to rows that were fetched now. */
const LIVE = { confidence: 0.7, freshness: 0.9 };
const SEARCH = 'https://duckduckgo.com/?q=';

/** Nobody's page: what stands under an address that is to be had, or that nobody set up. */
const NOBODYS =
  /\b(?:domain (?:name )?(?:is |may be )?(?:for sale|parked|available)|buy this domain|this domain (?:is|has been) (?:registered|parked|expired)|parked (?:domain|free)|inquire about this domain|account (?:has been )?suspended|welcome to nginx|apache2? (?:ubuntu )?default page|index of \/)/i;

/** Products from a model's memory: pages that name them, which are findings like any other, and the rest. */
export type Recalled = { findings: Finding[]; fromMemory: FromMemory[] };

/**
 * Reads the homepages of the products that a model named, side by side, each once. A page that cannot be read, or does not
 * name the product, confirms nothing; what the catalogue has in the chosen markets needs no confirming.
 */
export async function recallProducts({ ctx, job }: ResearchRun, about: Interpretation, signal: AbortSignal): Promise<Recalled> {
  const named = (about.remembered ?? []).slice(0, PAGES);
  const read = await Promise.all(named.map(async (product) => ({ product, page: await pageNaming(product, ctx, signal) })));
  return {
    findings: read.flatMap(({ page }) => (page ? [findingOf(page, job.id, ctx.clock.now())] : [])),
    fromMemory: read.flatMap(({ product, page }) => (page || isInMarkets(about, product) ? [] : [unconfirmed(product, about)])),
  };
}

function isInMarkets({ categoryIds }: Interpretation, { name, url }: Remembered): boolean {
  const catalogue = openCatalogue();
  // Under many a host stand the pages of many products.
  const isWholeSite = URL.parse(url)?.pathname === '/';
  const known = [catalogue.companyCalled(name), isWholeSite ? catalogue.companyCalled(url) : undefined];
  return known.some((match) => match && catalogue.marketsOf(match.company.id).some((id) => categoryIds.includes(id)));
}

async function pageNaming({ name, url }: Remembered, ctx: ResearchRun['ctx'], signal: AbortSignal): Promise<PageText | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PAGE_SECONDS * 1000)]);
  const page = await ctx.pages.read(url, limit).catch(() => undefined);
  signal.throwIfAborted();
  const said = page ? `${page.title} . ${truncate(page.text, TEXT)}` : '';
  return !NOBODYS.test(said) && ` ${plain(said)} `.includes(` ${plain(name)} `) ? page : undefined;
}

const findingOf = ({ url, title, text }: PageText, jobId: string, now: Date): Finding => ({
  id: stableId(`${jobId} web ${url}`),
  kind: 'web',
  url,
  title: shorten(title || url, 160),
  snippet: shorten(text, 300),
  text: truncate(text, TEXT),
  ...LIVE,
  fetchedAt: now.toISOString(),
  facts: null,
  isRemembered: true,
});

const unconfirmed = ({ name, url, why }: Remembered, { category }: Interpretation): FromMemory => ({
  name,
  url,
  why,
  search_url: `${SEARCH}${encodeURIComponent(`"${name.replaceAll('"', '')}" ${category}`.trim())}`,
});
