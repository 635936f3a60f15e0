import type { Content } from 'pdfmake';
import type { Matrix } from '../document.ts';
import { tableContent, type SetColumn } from './table-content.ts';
import { lineSpans, runs } from './text-runs.ts';

/** Columns that have room on a page, the own one among them. */
const MOST_COLUMNS = 13;

/** Marks in rows; the columns are numbered, and their names stand above. */
export function matrixContent({ subject, columns, key, total, words, rows }: Matrix): Content[] {
  const shown = columns.slice(0, MOST_COLUMNS);
  const others = shown.filter(({ own }) => !own);
  const titles = shown.map((column) => (column.own ? column.name : String(others.indexOf(column) + 1)));
  const named = others.map(({ name }, at) => `${at + 1} ${name}`).join(', ');
  const marks = shown.map(({ own }, at): SetColumn => ({ title: titles[at] ?? '', width: own ? 34 : 13, align: 'center' }));
  const described = rows.filter(({ about }) => about !== '');
  return [
    { text: runs([`● ${key}${named ? ` The columns: ${named}.` : ''}`]), margin: [0, 0, 0, 7] },
    tableContent(
      [{ title: subject, width: 'rest' }, { title: '', width: 56 }, ...marks, { title: total, width: 40, align: 'right' }],
      rows.map((row) => [
        lineSpans(row.name),
        [row.tags.join(', ')],
        ...shown.map((_column, at) => [row.marks[at] ? '●' : '·']),
        [String(row.total)],
      ]),
      true,
    ),
    ...(described.length > 0
      ? [
          { text: runs([words.about]), style: 'heading', headlineLevel: 2 },
          tableContent(
            [
              { title: subject, width: 150 },
              { title: '', width: 'rest' },
            ],
            described.map((row) => [[row.name.text], [row.about]]),
            true,
          ),
        ]
      : []),
  ];
}
