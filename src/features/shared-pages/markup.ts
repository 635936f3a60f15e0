import { escapeHtml } from '#lib/text.ts';
import { visibleText, webAddress } from '#lib/visible-text.ts';
import type { Citations, DrawnMap } from '#features/report-parts';

/** A text from anywhere as it may stand between tags or in a quoted attribute. */
export const shown = (text: string): string => escapeHtml(visibleText(text));

/** A name that may be written in another direction than its surroundings. */
export const name = (text: string): string => `<bdi>${shown(text)}</bdi>`;

/** A name, linked where its address is one of the web. */
export function linked(text: string, url: string | null): string {
  const address = webAddress(url);
  return address ? `<a href="${escapeHtml(address)}" rel="nofollow noopener noreferrer">${name(text)}</a>` : name(text);
}

const CITED = 4;

/** Links to the sources behind a statement. */
export type Cite = (ids: readonly string[]) => string;

export function citing(citations: Citations): Cite {
  return (ids) => {
    const all = citations(ids);
    if (all.length === 0) return '';
    const links = all.slice(0, CITED).map(({ place, title }) => `<a href="#s${place}" aria-label="Source ${place}: ${shown(title)}">${place}</a>`);
    const more = all.length - links.length;
    const rest =
      more > 0 ? `<a href="#s${all[CITED]?.place}" aria-label="${more} more, beginning with source ${all[CITED]?.place}">+${more}</a>` : '';
    return `<span class="cite">${links.join('')}${rest}</span>`;
  };
}

/** A part of the page with its heading; nothing where it would be empty. */
export function sheet(id: string, heading: string, ...content: string[]): string {
  const inside = content.filter(Boolean).join('\n');
  return inside === '' ? '' : `<section class="sheet" aria-labelledby="${id}"><h2 id="${id}">${shown(heading)}</h2>\n${inside}</section>`;
}

/** A list; nothing where it would be empty. @param items markup */
export const bullets = (items: readonly string[], kind: 'ul' | 'ol' = 'ul'): string =>
  items.length > 0 ? `<${kind} class="plain">${items.map((item) => `<li>${item}</li>`).join('\n')}</${kind}>` : '';

/** Things beside each other, on a phone to be swiped through. @param items markup of list items */
export const cards = (items: readonly string[], kind = ''): string =>
  items.length > 0
    ? `${items.length > 1 ? '<p class="hint" aria-hidden="true">Swipe sideways for more →</p>' : ''}<ul class="${`cards swipe ${kind}`.trim()}">${items.join('\n')}</ul>`
    : '';

/** Label and value pairs; those without a value are left out. @param list values are markup */
export function pairs(list: readonly (readonly [string, string | null])[]): string {
  const rows = list.flatMap(([label, value]) => (value ? [`<dt>${shown(label)}</dt><dd>${value}</dd>`] : []));
  return rows.length > 0 ? `<dl class="pairs">${rows.join('')}</dl>` : '';
}

/** What is wider than the page scrolls by itself, with the keyboard too. */
export const scrolling = (label: string, content: string): string =>
  `<div class="scroll" role="region" tabindex="0" aria-label="${shown(label)}">${content}</div>`;

/** The same picture for wide and for narrow pages. */
const responsive = (roomy: string, narrow: string): string => `<div class="roomy">${roomy}</div><div class="narrow">${narrow}</div>`;

/** The map of products with what its marks mean, for wide and for narrow pages; nothing without products. */
export function mapFigure(roomy: DrawnMap | null, narrow: DrawnMap | null): string {
  if (!roomy || !narrow) return '';
  const left = ({ unnamed }: DrawnMap, place: string): string =>
    unnamed.length > 0 ? `<span class="${place}"> Without room for their names: ${unnamed.map(name).join(', ')}.</span>` : '';
  return `<figure>${responsive(roomy.svg, narrow.svg)}
<figcaption><span class="key"></span> incumbent, <span class="key other"></span> emerging. The further right, the more of this idea a product already covers; the higher, the more of the market’s features it is known to have.${left(roomy, 'roomy')}${left(narrow, 'narrow')}</figcaption></figure>`;
}
