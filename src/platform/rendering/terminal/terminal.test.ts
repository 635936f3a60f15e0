import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { documentOf, emptyDocument, HOSTILE_TEXT } from '#testing/sample-document.ts';
import { displayWidth } from './display-width.ts';
import { terminalText } from './terminal.ts';

const plain = (text: string, columns = 80, url?: string) => terminalText(documentOf(text, url), { columns, colours: false });

describe('a document on a terminal', () => {
  it('strips texts from outside of everything that a terminal obeys', () => {
    const text = plain(HOSTILE_TEXT);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
    expect(text).not.toContain('evil.example');
    expect(text).toContain('<script>alert(1)</script>');
    const painted = terminalText(documentOf(HOSTILE_TEXT), { columns: 80, colours: true });
    expect(stripVTControlCharacters(painted)).toBe(text);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(painted).not.toMatch(/\u001B(?!\[\d+m)/);
  });

  it('keeps the marks of sources apart from brackets that a text brings along', () => {
    const text = plain('As [2] and [1, 3] say.', 100);
    expect(text).toContain('As (2) and (1, 3) say.: As (2) and (1, 3) say. <https://site.example/page> [1]–[3] [9]');
    expect(text).not.toMatch(/\[2\]|\[1, 3\]/);
  });

  it('writes addresses of the web out, and no others', () => {
    expect(plain('A text')).toContain('https://site.example/page');
    expect(plain('A text', 80, 'javascript:alert(1)')).not.toContain('javascript');
  });

  it.each([30, 44, 100])('breaks words of 10,000 letters at %i columns', (columns) => {
    for (const text of ['x'.repeat(10_000), '語'.repeat(500), 'قائمة התסוק '.repeat(60)]) {
      const widest = Math.max(...plain(text, columns).split('\n').map(displayWidth));
      expect(widest).toBeLessThanOrEqual(columns);
    }
  });

  it('sets a table in columns where it fits, else as a list', () => {
    const cells = (text: string) => [{ text }, { text: '12 %' }];
    const table = {
      kind: 'table' as const,
      columns: [{ title: 'Name' }, { title: 'Share', numeric: true }],
      rows: [cells('Acme'), cells('Newcomer')],
    };
    const set = (columns: number, rows = table.rows) =>
      terminalText({ ...emptyDocument, sections: [{ id: 'a', name: 'a', heading: 'a', blocks: [{ ...table, rows }] }] }, { columns, colours: false });
    expect(set(80)).toContain('Name      Share\nAcme       12 %\nNewcomer   12 %\n');
    expect(set(30, [cells('A name that is longer than the terminal')])).toMatch(/• A name that is longer than\n {2}the terminal\n {2}Share: 12 %\n/);
  });

  it('of an empty document says nothing', () => {
    expect(terminalText(emptyDocument, { columns: 80, colours: false })).not.toMatch(/Nothing|undefined|NaN|null/);
  });
});
