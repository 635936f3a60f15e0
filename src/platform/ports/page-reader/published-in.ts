import { readJson } from '#lib/read-json.ts';
import { isoDate } from './published-at.ts';

type Element = { getAttribute(name: string): string | null };
type Page = { querySelectorAll(selector: string): Iterable<Element> };

const META_NAMES: ReadonlySet<string> = new Set(
  (
    'article:published_time og:article:published_time og:published_time datepublished date dc.date dc.date.issued dcterms.date dcterms.issued ' +
    'dcterms.created pubdate publishdate publish-date publish_date publication_date parsely-pub-date sailthru.date citation_publication_date citation_date'
  ).split(' '),
);
const TIMES = '[itemprop="datePublished"], time[pubdate], article time[datetime], main time[datetime]';
const MOST_NODES = 500;

/** When a page says it was published: in its meta elements, its JSON-LD, or its time elements; ISO 8601 or null. */
export function publishedIn(page: Page, structured: readonly string[]): string | null {
  const metas = [...page.querySelectorAll('meta')].filter((meta) => META_NAMES.has(nameOf(meta)));
  return (
    firstDate(metas.map((meta) => meta.getAttribute('content'))) ??
    firstDate(structured.map(structuredDate)) ??
    firstDate([...page.querySelectorAll(TIMES)].map((time) => time.getAttribute('datetime') ?? time.getAttribute('content')))
  );
}

const nameOf = (meta: Element): string =>
  (meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('itemprop') ?? '').toLowerCase();

function firstDate(values: readonly unknown[]): string | null {
  for (const value of values) {
    const date = isoDate(value);
    if (date) return date;
  }
  return null;
}

/** The first `datePublished` of a JSON-LD text, searched level by level. */
function structuredDate(text: string): unknown {
  const queue: unknown[] = [parsed(text)];
  for (let place = 0; place < queue.length && place < MOST_NODES; place += 1) {
    const node = queue[place];
    if (typeof node !== 'object' || node === null) continue;
    if ('datePublished' in node && isoDate(node.datePublished)) return node.datePublished;
    queue.push(...Object.values(node).slice(0, MOST_NODES));
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
