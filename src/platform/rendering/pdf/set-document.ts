import type { Content, DocumentDefinition, Margins } from 'pdfmake';
import { capital } from '../../../lib/text.ts';
import { visibleText } from '../../../lib/visible-text.ts';
import { LIGHT } from '../charts/colours.ts';
import { scoreDial } from '../charts/score.ts';
import { filledSections, kickerOf, type Document, type Fact, type Section } from '../document.ts';
import { blocksContent } from './block-content.ts';
import { drawnText, MISSING } from './fonts.ts';
import { drawing, runs } from './text-runs.ts';

const MARGIN = { side: 44, top: 52, bottom: 58 };

/** A document as the definition that the PDF library sets: cover, contents, sections, numbered pages. */
export function documentDefinition(document: Document): DocumentDefinition {
  const sections = filledSections(document.sections);
  return {
    info: {
      title: visibleText(`${document.title}: ${document.kind.toLowerCase()}`),
      subject: visibleText(document.subtitle || document.summary),
      author: 'Groundwork',
      creator: 'Groundwork',
      producer: 'Groundwork',
      creationDate: new Date(document.createdAt),
    },
    language: document.language,
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
    content: [...cover(document), ...(sections.length > 0 ? [contents()] : []), ...sections.flatMap(sectionContent)],
    footer: (page, pages) => (page === 1 ? '' : footer(document, page, pages)),
    // A heading of a section may be followed by one of its parts and a line of text.
    pageBreakBefore: ({ headlineLevel: level, startPosition }) => (startPosition?.verticalRatio ?? 0) > (level === 1 ? 0.78 : level === 2 ? 0.86 : 1),
  };
}

function cover(document: Document): Content[] {
  const { title, subtitle, score, facts, imprint } = document;
  const told = [...(score ? [{ label: score.word, value: `${Math.round(score.value)} of 100` }] : []), ...facts];
  return [
    { canvas: [{ type: 'rect', x: 0, y: 0, w: 56, h: 5, color: LIGHT.accent }], margin: [0, 70, 0, 18] },
    { text: runs([kickerOf(document)]), fontSize: 12, color: LIGHT.muted },
    { text: runs([title]), fontSize: title.length > 60 ? 24 : 32, bold: true, lineHeight: 1.12, margin: [0, 4, 0, 10] },
    { text: runs([subtitle || document.summary]), fontSize: 13, margin: [0, 0, 0, 26] },
    ...(score ? [{ ...drawing(scoreDial(score.value, score.grade, LIGHT, 200)), width: 200, margin: [0, 0, 0, 22] as Margins }] : []),
    ...(score ? [{ text: runs([score.about]), margin: [0, 0, 0, 16] as Margins }] : []),
    ...(told.length > 0 ? [factsTable(told)] : []),
    { text: runs([imprint]), color: LIGHT.muted, fontSize: 9, margin: [0, 24, 0, 0] },
    ...(lacksSigns(document) ? [lackNote()] : []),
  ];
}

const factsTable = (facts: readonly Fact[]): Content => ({
  layout: 'noBorders',
  table: {
    widths: ['auto', '*'],
    body: facts.map(({ label, value }): Content[] => [
      { text: runs([capital(label)]), color: LIGHT.muted, margin: [0, 0, 14, 0] },
      { text: runs([value]) },
    ]),
  },
});

/** Whether anything in it cannot be drawn. */
const lacksSigns = (document: Document): boolean => {
  const all = JSON.stringify(document);
  return drawnText(all) !== all;
};

const lackNote = (): Content => ({
  text: runs([`${MISSING} stands for a sign that the fonts of this document lack.`]),
  color: LIGHT.muted,
  fontSize: 9,
  margin: [0, 4, 0, 0],
});

const contents = (): Content => ({
  toc: { title: { text: 'Contents', style: 'section' }, textMargin: [0, 3, 0, 3], numberStyle: { color: LIGHT.muted } },
  pageBreak: 'before',
});

/** A section that holds a tree begins on a page of its own. */
function sectionContent({ heading, blocks }: Section, index: number): Content[] {
  const newPage = index === 0 || blocks.some(({ kind }) => kind === 'tree');
  const title = {
    text: runs([heading]),
    style: 'section',
    tocItem: true,
    outline: true,
    headlineLevel: 1,
    ...(newPage ? { pageBreak: 'before' as const } : {}),
  };
  return [title, ...blocksContent(blocks)];
}

function footer(document: Document, page: number, pages: number): Content {
  return {
    columns: [
      { width: '*', text: runs([`${document.title} · ${document.kind}`]), noWrap: true },
      { width: 80, text: `${page} of ${pages}`, alignment: 'right' },
    ],
    margin: [MARGIN.side, 20, MARGIN.side, 0],
    fontSize: 8,
    color: LIGHT.muted,
  };
}
