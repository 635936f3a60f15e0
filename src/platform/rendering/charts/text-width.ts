import { visibleText } from '../../../lib/visible-text.ts';

const NARROW = /[iljtfrI.,:;'!|()[\] ]/;
const WIDE = /[mwMW@%—…]|[^\t-\u024f\u0370-\u052f]/;

/** About how wide a line becomes in a sans-serif face; errs on the wide side. */
export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const sign of text) units += NARROW.test(sign) ? 0.34 : WIDE.test(sign) ? 0.95 : /[A-ZΑ-ΩА-Я]/.test(sign) ? 0.7 : 0.58;
  return units * size;
}

/** A text in at most `lines` lines of a width; the last one ends in an ellipsis when something is left. */
export function wrapText(text: string, size: number, width: number, lines: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of visibleText(text).trim().split(/\s+/)) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (row === '' || textWidth(longer, size) <= width) row = longer;
    else {
      rows.push(row);
      row = word;
    }
  }
  rows.push(row);
  const shown = rows.slice(0, lines).map((line) => fitText(line, size, width));
  const last = shown.at(-1);
  if (rows.length > lines && last !== undefined) shown[shown.length - 1] = fitText(`${last.replace(/…$/, '')}…`, size, width);
  return shown;
}

/** A line cut to a width. */
export function fitText(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  let room = width - textWidth('…', size);
  let fitting = '';
  for (const sign of text.replace(/…$/, '')) {
    room -= textWidth(sign, size);
    if (room < 0 && fitting !== '') break;
    fitting += sign;
  }
  return `${fitting.trimEnd()}…`;
}
