import { z } from 'zod';
import { readJson } from '#lib/read-json.ts';
import type { ContentService } from '../../config/content.ts';
import type { FetchAnswer, GuardedFetch, Method } from '../guarded-fetch/port.ts';
import { ContentFailed, type ContentPage, type ContentStore, type NewContentPage } from './port.ts';

const REQUEST_MS = 10_000;

/** What is empty in it may be null or absent. */
const Page = z.object({
  id: z.union([z.string().min(1), z.number()]).transform(String),
  slug: z.string().min(1),
  title: z.string().nullish(),
  description: z.string().nullish(),
  og_image_url: z.string().nullish(),
  blocks: z.array(z.looseObject({ blockType: z.string() })).nullish(),
  published: z.boolean().nullish(),
  _status: z.string().nullish(),
  sort_order: z.number().nullish(),
  research: z.record(z.string(), z.unknown()).nullish(),
  project_id: z.string().nullish(),
});
const Found = z.object({ docs: z.array(Page) });
const Written = z.object({ doc: Page });

/**
 * Pages of one collection of a content system that speaks Payload's REST API
 * (https://payloadcms.com/docs/rest-api/overview). It knows no idempotency: a page is looked up by its slug, which is
 * unique there, before it is made, and again where somebody else was faster.
 */
export function payloadContent(fetch: GuardedFetch, { baseUrl, apiKey, collection, usersCollection }: ContentService): ContentStore {
  const resource = `${baseUrl.replace(/\/+$/, '')}/api/${encodeURIComponent(collection)}`;
  const authorization = `${usersCollection} API-Key ${apiKey}`;

  const ask = async (method: Method, address: string, body?: object): Promise<FetchAnswer> => {
    try {
      return await fetch.fetch(new URL(address), {
        method,
        signal: AbortSignal.timeout(2 * REQUEST_MS),
        milliseconds: REQUEST_MS,
        redirects: 0,
        headers: { authorization, accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    } catch (error) {
      throw new ContentFailed('The content store could not be reached, or gave no answer.', { cause: error });
    }
  };
  const find = async (slug: string): Promise<ContentPage | null> => {
    const query = new URLSearchParams({ 'where[slug][equals]': slug, depth: '1', limit: '1' });
    const { docs } = answered(Found, await ask('GET', `${resource}?${query}`));
    // Some of its databases compare without case.
    const page = docs.find((each) => each.slug === slug);
    return page ? pageOf(page) : null;
  };
  const update = async (id: string, page: NewContentPage): Promise<ContentPage> =>
    pageOf(answered(Written, await ask('PATCH', `${resource}/${encodeURIComponent(id)}`, sent(page))).doc);

  return {
    find,
    put: async (page) => {
      const known = await find(page.slug);
      if (known) return update(known.id, page);
      const made = await ask('POST', resource, sent(page));
      if (made.status !== 400) return pageOf(answered(Written, made).doc);
      const other = await find(page.slug);
      if (!other) throw refusedWith(400);
      return update(other.id, page);
    },
    remove: async (slug) => {
      const known = await find(slug);
      if (!known) return;
      const { status } = await ask('DELETE', `${resource}/${encodeURIComponent(known.id)}`);
      if (status !== 404 && !isDone(status)) throw refusedWith(status);
    },
  };
}

/** With its state as collections with drafts call it; others leave that out. */
const sent = (page: NewContentPage): object => ({ ...page, _status: page.published ? 'published' : 'draft' });

const pageOf = ({ _status: status, ...page }: z.output<typeof Page>): ContentPage => ({
  id: page.id,
  slug: page.slug,
  title: page.title ?? '',
  description: page.description ?? '',
  og_image_url: page.og_image_url ?? null,
  blocks: page.blocks ?? [],
  published: status !== 'draft' && (page.published ?? status === 'published'),
  sort_order: page.sort_order ?? 0,
  research: page.research ?? null,
  project_id: page.project_id ?? null,
});

const isDone = (status: number): boolean => status >= 200 && status < 300;

const refusedWith = (status: number): ContentFailed => new ContentFailed(`The content store answered with status ${status}.`);

function answered<T>(schema: z.ZodType<T>, { status, body }: FetchAnswer): T {
  if (!isDone(status)) throw refusedWith(status);
  const { data } = schema.safeParse(jsonOf(body));
  if (!data) throw new ContentFailed('The content store answered something that is no answer of its protocol.');
  return data;
}

function jsonOf(body: Buffer): unknown {
  try {
    return readJson(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
