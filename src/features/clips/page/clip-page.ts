import { count } from '#lib/text.ts';
import { webAddress } from '#lib/visible-text.ts';
import type { ContentPage } from '#platform/ports/content-store/port.ts';
import { name, shown } from '#platform/rendering/html/markup.ts';
import { framePage, pageHeaders } from '#platform/rendering/html/page.ts';
import { knownBlocks, type BlockOf, type ClipBlock } from '../blocks.ts';
import type { Voted } from '../schema.ts';
import { blocksHtml } from './block-html.ts';
import { CLIP_STYLE } from './style.ts';

const IMPRINT = 'Published with Groundwork.';
const CACHED_SECONDS = 300;

/** The same for every form of the page. */
export const CLIP_CACHE = `public, max-age=${CACHED_SECONDS}`;

type ClipAddress = {
  url: string;
  /** Where signed recordings lead, when that is not this service. */
  blobOrigin: string | null;
};

/** A page of blocks in one file: no script, forms to this service alone. */
export function clipPage(page: ContentPage, { url, blobOrigin }: ClipAddress): { html: string; headers: Record<string, string> } {
  const blocks = knownBlocks(page.blocks);
  const image = webAddress(page.og_image_url);
  const head = { title: page.title, description: page.description, url, image: image ? { url: image } : null };
  const [first] = blocks;
  const hero = first?.kind === 'hero' ? first : undefined;
  const main = `${topOf(page, hero)}
${blocksHtml(hero ? blocks.slice(1) : blocks, { address: new URL(url).pathname })}`;
  return {
    html: framePage({ head, style: CLIP_STYLE, main, imprint: IMPRINT }),
    headers: { ...pageHeaders(CLIP_STYLE, { forms: true, sound: soundOrigins(blocks, blobOrigin) }), 'cache-control': CLIP_CACHE },
  };
}

/** What the page is called, in the words of the hero that it begins with where it does. */
function topOf(page: ContentPage, hero?: BlockOf<'hero'>): string {
  const [title, lead] = [hero?.title || page.title, hero?.subtitle || page.description];
  const kicker = hero?.eyebrow ? `<p class="kicker">${shown(hero.eyebrow)}</p>` : '';
  return `<header class="top">${kicker}<h1>${name(title)}</h1>${lead && `<p class="lead">${shown(lead)}</p>`}</header>`;
}

/** Where a page's recordings come from besides this service. */
function soundOrigins(blocks: readonly ClipBlock[], blobOrigin: string | null): string[] {
  const recordings = blocks.flatMap((block) =>
    block.kind === 'sessionReplay' ? [block.audio_key, ...block.advisors.map(({ audio_key: audio }) => audio)] : [],
  );
  const origins = recordings.flatMap((audio) => webAddress(audio) ?? []).map((address) => new URL(address).origin);
  return [...new Set([...(blobOrigin ? [blobOrigin] : []), ...origins])];
}

/** What whoever sent a form of the page is shown. @param url of the page */
export function thanksPage(
  message: string,
  url: string,
  totals?: Pick<Voted, 'total_up' | 'total_down'>,
): { html: string; headers: Record<string, string> } {
  const counted = totals ? `<p>${count(totals.total_up, 'vote')} for it, ${count(totals.total_down, 'vote')} against it.</p>` : '';
  const main = `<header class="top"><h1>Done</h1></header>
<div class="sheet"><p role="status">${shown(message)}</p>${counted}<p><a class="button" href="${shown(new URL(url).pathname)}">Back to the page</a></p></div>`;
  return {
    html: framePage({ head: { title: 'Done', description: message, url, image: null }, style: CLIP_STYLE, main, imprint: IMPRINT }),
    headers: { ...pageHeaders(CLIP_STYLE), 'cache-control': 'no-store' },
  };
}
