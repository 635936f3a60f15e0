import type { Content, DocumentDefinition, Margins, TextRun } from 'pdfmake';
import { visibleText } from '../../../lib/visible-text.ts';
import { LIGHT } from '../charts/colours.ts';
import { drawnText, fontRuns, MISSING } from './fonts.ts';
import { setLabels } from './set-labels.ts';
import { wordsOf, type Block, type OutlineItem, type Paper, type Section, type Span, type Spans } from './paper.ts';

const MARGIN = { side: 44, top: 52, bottom: 58 };
/** Points between the margins of an A4 page. */
const TEXT_WIDTH = 595.28 - 2 * MARGIN.side;
const PAGE_HEIGHT = 841.89 - MARGIN.top - MARGIN.bottom;

/** A paper as the definition that the PDF library sets: cover, contents, sections, numbered pages. */
export function paperDefinition(paper: Paper): DocumentDefinition {
  return {
    info: {
      title: visibleText(`${paper.title}: ${paper.kind.toLowerCase()}`),
      subject: visibleText(paper.subtitle),
      author: 'Groundwork',
      creator: 'Groundwork',
      producer: 'Groundwork',
      creationDate: paper.createdAt,
    },
    language: paper.language,
    displayTitle: true,
    version: '1.7',
    pageSize: 'A4',
    pageMargins: [MARGIN.side, MARGIN.top, MARGIN.side, MARGIN.bottom],
    defaultStyle: { font: 'Inter', fontSize: 10, lineHeight: 1.35, color: LIGHT.ink },
    styles: {
      section: { fontSize: 17, bold: true, margin: [0, 18, 0, 8], lineHeight: 1.15 },
      heading: { fontSize: 11.5, bold: true, margin: [0, 10, 0, 4] },
      minor: { fontSize: 9.5, bold: true, color: LIGHT.muted, margin: [0, 3, 0, 2] },
      head: { bold: true, fontSize: 8.5, color: LIGHT.muted },
    },
    content: [...cover(paper), contents(), ...paper.sections.flatMap((section, index) => sectionContent(section, index === 0))],
    footer: (page, pages) => (page === 1 ? '' : footer(paper, page, pages)),
    // A heading of a section may be followed by one of its parts and a line of text.
    pageBreakBefore: ({ headlineLevel: level, startPosition }) => (startPosition?.verticalRatio ?? 0) > (level === 1 ? 0.78 : level === 2 ? 0.86 : 1),
  };
}

function cover(paper: Paper): Content[] {
  const { kind, title, subtitle, facts, cover: picture, imprint } = paper;
  return [
    { canvas: [{ type: 'rect', x: 0, y: 0, w: 56, h: 5, color: LIGHT.accent }], margin: [0, 70, 0, 18] },
    { text: runs([kind]), fontSize: 12, color: LIGHT.muted },
    { text: runs([title]), fontSize: title.length > 60 ? 24 : 32, bold: true, lineHeight: 1.12, margin: [0, 4, 0, 10] },
    { text: runs([subtitle]), fontSize: 13, margin: [0, 0, 0, 26] },
    ...(picture ? [{ ...drawing(picture.svg), width: picture.width, margin: [0, 0, 0, 22] as Margins }] : []),
    {
      layout: 'noBorders',
      table: {
        widths: ['auto', '*'],
        body: facts.map(({ label, value }): Content[] => [
          { text: runs([label]), color: LIGHT.muted, margin: [0, 0, 14, 0] },
          { text: runs([value]) },
        ]),
      },
    },
    { text: runs([imprint]), color: LIGHT.muted, fontSize: 9, margin: [0, 24, 0, 0] },
    ...(lacksSigns(paper)
      ? [
          {
            text: runs([`${MISSING} stands for a sign that the fonts of this document lack.`]),
            color: LIGHT.muted,
            fontSize: 9,
            margin: [0, 4, 0, 0] as Margins,
          },
        ]
      : []),
  ];
}

/** Whether anything in it cannot be drawn. */
const lacksSigns = (paper: Paper): boolean => {
  const { createdAt: _, ...texts } = paper;
  const all = JSON.stringify(texts);
  return drawnText(all) !== all;
};

const contents = (): Content => ({
  toc: { title: { text: 'Contents', style: 'section' }, textMargin: [0, 3, 0, 3], numberStyle: { color: LIGHT.muted } },
  pageBreak: 'before',
});

function sectionContent({ heading, blocks, newPage }: Section, isFirst: boolean): Content[] {
  const title = {
    text: runs([heading]),
    style: 'section',
    tocItem: true,
    outline: true,
    headlineLevel: 1,
    ...(newPage || isFirst ? { pageBreak: 'before' as const } : {}),
  };
  return [title, ...blocks.map(blockContent)];
}

function blockContent(block: Block): Content {
  switch (block.kind) {
    case 'paragraph':
      return { text: runs(block.spans), margin: [0, 0, 0, 7], ...(block.lead ? { fontSize: 12 } : {}) };
    case 'heading':
      return { text: runs([block.text]), style: block.minor ? 'minor' : 'heading', headlineLevel: 2 };
    case 'list': {
      const items = block.items.map((item) => ({ text: runs(item), margin: [0, 0, 0, 4] as Margins }));
      return block.ordered ? { ol: items, margin: [0, 0, 0, 6] } : { ul: items, markerColor: LIGHT.muted, margin: [0, 0, 0, 6] };
    }
    case 'table':
      return tableContent(block);
    case 'picture':
      return pictureContent(block);
    case 'outline':
      return { stack: block.items.map(outlineItem) };
    case 'sources':
      return { stack: block.items.map(({ anchor, spans }, index) => sourceItem(anchor, spans, index + 1)) };
  }
}

function tableContent({ columns, rows, small }: Extract<Block, { kind: 'table' }>): Content {
  const size = small ? { fontSize: 8 } : {};
  const head: Content[] = columns.map(({ title, align }) => ({
    text: runs([title]),
    style: 'head',
    alignment: align ?? 'left',
    ...(small ? { fontSize: 7 } : {}),
  }));
  const body = rows.map((row): Content[] => row.map((cell, index) => ({ text: runs(cell), alignment: columns[index]?.align ?? 'left', ...size })));
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

// Whatever a picture names, no file is opened for it.
const drawing = (svg: string): Content => ({ svg: setLabels(svg), options: { imageCallback: () => '', warningCallback: () => {} } });

function pictureContent({ svg, width, caption }: Extract<Block, { kind: 'picture' }>): Content {
  return {
    unbreakable: true,
    stack: [
      { ...drawing(svg), fit: [Math.min(width, TEXT_WIDTH), PAGE_HEIGHT - 60], margin: [0, 4, 0, 4] },
      ...(caption ? [{ text: runs([caption]), fontSize: 8.5, color: LIGHT.muted, margin: [0, 0, 0, 8] as Margins }] : []),
    ],
  };
}

const INDENT = 16;

function outlineItem({ depth, title, text, tags, marked }: OutlineItem): Content {
  const head: Span[] = [{ text: title, bold: true }, ...(tags.length > 0 ? [{ text: `  ${tags.join(' · ')}`, muted: true, small: true }] : [])];
  return {
    margin: [depth * INDENT, depth === 0 ? 6 : 1, 0, 2],
    stack: [
      { text: [...(marked ? [{ text: '◆ ', color: LIGHT.second }] : []), ...runs(head)], ...(depth === 0 ? { fontSize: 11 } : {}) },
      ...(text ? [{ text: runs([text]), fontSize: 9, color: LIGHT.muted }] : []),
    ],
  };
}

const sourceItem = (anchor: string, spans: Spans, place: number): Content => ({
  columns: [
    { width: 24, text: String(place), id: anchor, color: LIGHT.muted, fontSize: 8.5 },
    { width: '*', text: runs(spans), fontSize: 8.5 },
  ],
  margin: [0, 0, 0, 3],
});

function footer({ title, kind }: Paper, page: number, pages: number): Content {
  return {
    columns: [
      { width: '*', text: runs([`${title} · ${kind}`]), noWrap: true },
      { width: 80, text: `${page} of ${pages}`, alignment: 'right' },
    ],
    margin: [MARGIN.side, 20, MARGIN.side, 0],
    fontSize: 8,
    color: LIGHT.muted,
  };
}

function runs(spans: Spans): TextRun[] {
  const set = spans.flatMap((span) => {
    const { text, ...style } = typeof span === 'string' ? ({ text: span } as Exclude<Span, string>) : span;
    return fontRuns(visibleText(text)).map((run): TextRun => ({ ...run, ...runStyle(style) }));
  });
  return wordsOf(spans) === '' || set.length === 0 ? [{ text: ' ', font: 'Inter' }] : set;
}

const runStyle = ({ bold, italic, muted, small, link, to }: Omit<Exclude<Span, string>, 'text'>): Omit<TextRun, 'text' | 'font'> => ({
  ...(bold ? { bold: true } : {}),
  ...(italic ? { italics: true } : {}),
  ...(muted ? { color: LIGHT.muted } : {}),
  ...(small ? { fontSize: 8 } : {}),
  ...(link ? { link, color: LIGHT.accent } : {}),
  ...(to ? { linkToDestination: to, color: LIGHT.accent } : {}),
});
