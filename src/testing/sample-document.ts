import type { Document, Entry, Line } from '#platform/rendering/document.ts';

/** A document with a block of each kind, and with a text from outside in every place that holds one. */
export function documentOf(text: string, url: string | null = 'https://site.example/page'): Document {
  const line: Line = { text, label: text, cites: [1, 2, 3, 9], url };
  const entry = (blocks: Entry['blocks']): Entry => ({ title: line, tags: [text], facts: [{ label: text, value: text }], blocks });
  const short: Entry = entry([
    { kind: 'paragraph', line, tone: 'aside' },
    { kind: 'callout', line },
  ]);
  const long: Entry = entry([
    { kind: 'paragraph', line },
    { kind: 'heading', text },
    { kind: 'list', items: [line] },
  ]);
  return {
    kind: 'Report',
    topic: text,
    title: text,
    subtitle: text,
    summary: text,
    language: 'en',
    score: { value: 62, word: text, grade: 'good', about: text },
    facts: [{ label: text, value: text }],
    sections: [
      {
        id: 'texts',
        name: text,
        heading: text,
        blocks: [
          { kind: 'paragraph', line, tone: 'lead' },
          { kind: 'heading', text },
          { kind: 'list', items: [line, line], ordered: true },
          { kind: 'callout', line },
          { kind: 'table', columns: [{ title: text }, { title: text, numeric: true }], rows: [[line, line]] },
        ],
      },
      {
        id: 'pictures',
        name: text,
        heading: text,
        blocks: [
          {
            kind: 'matrix',
            caption: text,
            subject: text,
            columns: [
              { name: text, own: true, yes: text, no: text },
              { name: text, yes: text, no: text },
            ],
            key: text,
            total: text,
            words: { some: text, none: text, about: text },
            rows: [{ name: line, cites: [1, 2, 3, 9], tags: [text], about: text, marks: [true, false], total: 1 }],
          },
          { kind: 'chart', chart: 'scores', scores: [{ name: text, asks: text, value: 62, weight: 0.2, line }] },
          {
            kind: 'chart',
            chart: 'scatter',
            about: text,
            caption: text,
            groups: [text, text],
            points: [{ label: text, x: 0.5, y: 3, group: 'first' }],
            x: { title: text, short: text, max: 1, unit: 'share' },
            y: { title: text, short: text, max: 5, unit: 'number' },
          },
          {
            kind: 'chart',
            chart: 'dependencies',
            about: text,
            caption: text,
            parts: [
              { id: 'a', title: text, note: text, needs: [], marked: true },
              { id: 'b', title: text, note: text, needs: ['a'], marked: false },
            ],
          },
          { kind: 'tree', items: [{ depth: 0, number: '1', title: text, tags: [text], marked: true, lines: [line] }] },
        ],
      },
      {
        id: 'entries',
        name: text,
        heading: text,
        blocks: [
          ...(['profiles', 'steps', 'points', 'sides'] as const).map((form) => ({ kind: 'entries' as const, form, entries: [short] })),
          { kind: 'entries', form: 'profiles', entries: [long] },
        ],
      },
      {
        id: 'sources',
        name: text,
        heading: text,
        blocks: [{ kind: 'sources', sources: [1, 2, 3].map(() => ({ title: text, url, note: text, snippet: text })) }],
      },
    ],
    imprint: text,
    createdAt: '2026-03-04T05:06:07.000Z',
  };
}

/** A document in which nothing is said. */
export const emptyDocument: Document = {
  kind: 'Report',
  topic: '',
  title: '',
  subtitle: '',
  summary: '',
  language: 'en',
  score: null,
  facts: [],
  sections: [
    {
      id: 'nothing',
      name: 'Nothing',
      heading: 'Nothing',
      blocks: [
        { kind: 'heading', text: 'Nothing follows' },
        { kind: 'list', items: [] },
      ],
    },
  ],
  imprint: '',
  createdAt: '2026-03-04T05:06:07.000Z',
};

/** Text that would act as markup, take over a terminal or turn what follows, if it were not data. */
export const HOSTILE_TEXT =
  '</style></p><script>alert(1)</script>"\'><img src=x onerror=alert(2)> [a](javascript:alert(3)) ![b](data:x) \u001B[31mred\u001B]8;;https://evil.example\u0007link\u001B]8;;\u0007\u009B2J \u202Egnp.exe\u2066\u0000 **c** `d` | e [7] # f';
