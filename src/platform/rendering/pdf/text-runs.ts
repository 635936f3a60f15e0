import type { Content, TextRun } from 'pdfmake';
import { visibleText, webAddress } from '../../../lib/visible-text.ts';
import { LIGHT } from '../charts/colours.ts';
import type { Line } from '../document.ts';
import { fontRuns } from './fonts.ts';
import { setLabels } from './set-labels.ts';

/** A run of text. `link` leads to an address of the web, `to` to an anchor of the same document. */
export type Span = string | { text: string; bold?: boolean; muted?: boolean; small?: boolean; link?: string; to?: string };

const CITED = 6;

/** A line as runs, with its label in front and its citations behind. */
export function lineSpans({ label, text, url, cites }: Line, look: { bold?: boolean } = {}): Span[] {
  const link = webAddress(url);
  return [
    ...(label === undefined ? [] : [{ text: `${label}: `, bold: true }]),
    { text, ...(look.bold ? { bold: true } : {}), ...(link ? { link } : {}) },
    ...citationSpans(cites),
  ];
}

/** Numbers that lead to the sources; of very many the first ones, and how many more there are. */
export function citationSpans(cites: readonly number[] = []): Span[] {
  const shown = cites.slice(0, CITED).flatMap((place): Span[] => [' ', { text: `[${place}]`, to: anchorOf(place), small: true }]);
  return cites.length > CITED ? [...shown, { text: ` +${cites.length - CITED}`, muted: true, small: true }] : shown;
}

/** The name that a citation of a place leads to. */
export const anchorOf = (place: number): string => `source-${place}`;

/** Spans in families that have their signs; never nothing, since a line of a page must hold something. */
export function runs(spans: readonly Span[]): TextRun[] {
  const set = spans.flatMap((span) => {
    const { text, ...style } = typeof span === 'string' ? ({ text: span } as Exclude<Span, string>) : span;
    return fontRuns(visibleText(text)).map((run): TextRun => ({ ...run, ...runStyle(style) }));
  });
  return set.every(({ text }) => text === '') ? [{ text: ' ', font: 'Inter' }] : set;
}

const runStyle = ({ bold, muted, small, link, to }: Omit<Exclude<Span, string>, 'text'>): Omit<TextRun, 'text' | 'font'> => ({
  ...(bold ? { bold: true } : {}),
  ...(muted ? { color: LIGHT.muted } : {}),
  ...(small ? { fontSize: 8 } : {}),
  ...(link ? { link, color: LIGHT.accent } : {}),
  ...(to ? { linkToDestination: to, color: LIGHT.accent } : {}),
});

/** A picture. Whatever it names, no file is opened for it. */
export const drawing = (svg: string): Content => ({ svg: setLabels(svg), options: { imageCallback: () => '', warningCallback: () => {} } });
