import { escapeHtml } from '#lib/text.ts';
import { visibleText, webAddress } from '#lib/visible-text.ts';
import type { Line, Source } from '../document.ts';

/** A text from anywhere as it may stand between tags or in a quoted attribute. */
export const shown = (text: string): string => escapeHtml(visibleText(text));

/** A name that may be written in another direction than its surroundings. */
export const name = (text: string): string => `<bdi>${shown(text)}</bdi>`;

/** A name, linked where its address is one of the web. */
export function linked(text: string, url: string | null | undefined): string {
  const address = webAddress(url);
  return address ? `<a href="${escapeHtml(address)}" rel="nofollow noopener noreferrer">${name(text)}</a>` : name(text);
}

const CITED = 4;

/** Links to the first sources of places from 1, and one to the rest. */
export type Cite = (places: readonly number[] | undefined) => string;

/** @param sources the list that citations lead to; a place beyond it is left out */
export const citing = (sources: readonly Source[]): Cite => {
  // Many lines cite the same source.
  const links = new Map<number, string>();
  const linkTo = (place: number): string => {
    const link = links.get(place) ?? `<a href="#s${place}" aria-label="Source ${place}: ${shown(sources[place - 1]?.title ?? '')}">${place}</a>`;
    links.set(place, link);
    return link;
  };
  return (places = []) => {
    const known = places.filter((place) => sources[place - 1]);
    if (known.length === 0) return '';
    const next = known[CITED];
    const more = Math.max(0, known.length - CITED);
    const rest = more > 0 ? `<a href="#s${next}" aria-label="${more} more, beginning with source ${next}">+${more}</a>` : '';
    return ` <span class="cite">${known.slice(0, CITED).map(linkTo).join('')}${rest}</span>`;
  };
};

/** A line with its label, its link and its citations. */
export function lineHtml({ label, text, url, cites }: Line, cite: Cite): string {
  const front = label === undefined ? '' : `<strong>${shown(label)}</strong>: `;
  return `${front}${url ? linked(text, url) : shown(text)}${cite(cites)}`;
}

/** What is wider than the page scrolls by itself, with the keyboard too. */
export const scrolling = (label: string, content: string): string =>
  `<div class="scroll" role="region" tabindex="0" aria-label="${shown(label)}">${content}</div>`;
