import type { Content } from 'pdfmake';
import { LIGHT } from '../charts/colours.ts';
import type { Block } from '../document.ts';
import { runs, type Span } from './text-runs.ts';

/** Points, what the others leave, or as much as the longest text takes. */
export type SetColumn = { title: string; width: number | 'rest' | 'fit'; align?: 'left' | 'center' | 'right' };

const SHORT = 18;
/** Points that a column of names takes beside one of sentences. */
const NARROW = 105;

/** The column of the longest texts has what the others leave: short ones take what they need, longer ones a fixed part. */
export function columnsOf({ columns, rows }: Extract<Block, { kind: 'table' }>): SetColumn[] {
  const lengths = columns.map(({ title }, at) => Math.max(title.length, ...rows.map((row) => row[at]?.text.length ?? 0)));
  const widest = lengths.indexOf(Math.max(...lengths));
  return columns.map(({ title, numeric }, at): SetColumn => {
    const width = (lengths[at] ?? 0) <= SHORT ? 'fit' : at === widest ? 'rest' : NARROW;
    return { title, width, ...(numeric ? { align: 'right' } : {}) };
  });
}

/** @param small for many columns beside each other */
export function tableContent(columns: readonly SetColumn[], rows: readonly (readonly (readonly Span[])[])[], small = false): Content {
  const size = small ? { fontSize: 8 } : {};
  const alignment = (at: number) => columns[at]?.align ?? 'left';
  const head = columns.map(({ title }, at): Content => ({
    text: runs([title]),
    style: 'head',
    alignment: alignment(at),
    ...(small ? { fontSize: 7 } : {}),
  }));
  const body = rows.map((row) => columns.map((_column, at): Content => ({ text: runs(row[at] ?? []), alignment: alignment(at), ...size })));
  return {
    layout: {
      hLineWidth: (line, node) => (line === 0 || line === node.table.body.length ? 0 : 0.6),
      vLineWidth: () => 0,
      hLineColor: () => LIGHT.line,
      paddingLeft: (column) => (column === 0 ? 0 : small ? 2 : 5),
      paddingRight: () => (small ? 2 : 5),
      paddingTop: () => 3,
      paddingBottom: () => 2,
    },
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: columns.map(({ width }) => (width === 'rest' ? '*' : width === 'fit' ? 'auto' : width)),
      body: [head, ...body],
    },
    margin: [0, 2, 0, 10],
  };
}
