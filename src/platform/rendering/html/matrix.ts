import type { Matrix, MatrixColumn, MatrixRow } from '../document.ts';
import { lineHtml, name, scrolling, shown, type Cite } from './markup.ts';

const MOST_COLUMNS = 25;

/** Marks in rows and columns, with what the rows are below them. */
export function matrixHtml({ caption, subject, columns, key, total, words, rows }: Matrix, { level, cite }: { level: number; cite: Cite }): string {
  const shownColumns = columns.slice(0, MOST_COLUMNS);
  const head = shownColumns.map((column) => `<th scope="col"${column.own ? ' class="mine"' : ''}><span>${name(column.name)}</span></th>`).join('');
  const body = rows.map((row) => {
    const tags = row.tags.map((tag) => `<span class="tag">${shown(tag)}</span>`).join(' ');
    const cells = shownColumns.map((column, at) => cell(column, row.marks[at] === true)).join('');
    return `<tr><th scope="row">${lineHtml(row.name, cite)}<br>${tags}</th>${cells}<td>${row.total}</td></tr>`;
  });
  const table = `<table class="matrix"><caption class="sr">${shown(caption)}</caption><thead><tr><th scope="col">${shown(subject)}</th>${head}<th scope="col"><span>${shown(total)}</span></th></tr></thead><tbody>${body.join('\n')}</tbody></table>`;
  return `<p class="aside"><span class="yes" aria-hidden="true">●</span> ${shown(key)}</p>${scrolling(caption, table)}${about(rows, words.about, level)}`;
}

function cell({ own, yes, no }: MatrixColumn, held: boolean): string {
  const kind = [held ? 'yes' : 'no', own ? 'mine' : ''].filter(Boolean).join(' ');
  return `<td class="${kind}"><span aria-hidden="true">${held ? '●' : '·'}</span><span class="sr">${shown(held ? yes : no)}</span></td>`;
}

function about(rows: readonly MatrixRow[], heading: string, level: number): string {
  const described = rows.filter((row) => row.about !== '');
  const list = described.map((row) => `<dt>${shown(row.name.text)}</dt><dd>${shown(row.about)}</dd>`).join('');
  return list === '' ? '' : `<h${level}>${shown(heading)}</h${level}><dl class="terms">${list}</dl>`;
}
