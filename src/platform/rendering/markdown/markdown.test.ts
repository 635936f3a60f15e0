import { describe, expect, it } from 'vitest';
import { documentOf, emptyDocument, HOSTILE_TEXT } from '#testing/sample-document.ts';
import { markdownOf } from './markdown.ts';

/** What is left when everything escaped, and the addresses of its own links, are taken out. */
const acting = (markdown: string): string => markdown.replaceAll(/\\./g, '').replaceAll('](https://site.example/page)', ']');

describe('Markdown', () => {
  it('lets no text from outside act', () => {
    const markdown = markdownOf(documentOf(HOSTILE_TEXT));
    expect(acting(markdown)).not.toMatch(/<(?!\w*$)|`|!\[|\]\((?!\))|~/);
    expect(acting(markdown)).not.toContain('](');
    expect(markdown).toContain('\\[a\\](javascript:alert(3))');
    expect(markdown).toContain('(7)');
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(markdown).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
  });

  it('begins no heading, list, quote or table with a text', () => {
    for (const text of ['# a', '- a', '+ a', '= a', '> a', '1. a', '2) a', '| a'])
      expect(markdownOf({ ...emptyDocument, title: 'T', summary: text })).toMatch(/\n\n(?:\\[#+=>|-]|\d\\[.)]) ?a\n/);
  });

  it('makes citations references to the addresses of the sources', () => {
    const markdown = markdownOf(documentOf('A text'));
    expect(markdown).toContain('[A text](https://site.example/page) [1]–[3] [9]');
    expect(markdown).toMatch(/\n\[1\]: https:\/\/site\.example\/page\n\[2\]: https:\/\/site\.example\/page\n\[3\]: /);
    expect(markdownOf(documentOf('A text', 'catalogue:acme'))).not.toMatch(/\]: |\]\(/);
    expect(markdownOf(documentOf('A text', 'https://a.example/x) [y](https://b.example'))).toContain(
      '(https://a.example/x%29%20[y]%28https://b.example)',
    );
  });

  it('gives every row of a table as many cells as it has columns', () => {
    const rows = markdownOf(documentOf('a | b'))
      .split('\n')
      .filter((line) => line.startsWith('| '));
    expect(rows.length).toBeGreaterThan(5);
    expect(new Set(rows.map((row) => acting(row).split('|').length))).toEqual(new Set([4, 6]));
  });

  it('keeps a word of 10,000 letters and a text from right to left', () => {
    for (const text of ['x'.repeat(10_000), 'قائمة التسوق']) expect(markdownOf(documentOf(text))).toContain(`# ${text}\n`);
  });

  it('of an empty document says nothing', () => {
    const markdown = markdownOf(emptyDocument);
    expect(markdown).not.toMatch(/Nothing|undefined|NaN|null/);
    expect(markdown.length).toBeLessThan(40);
  });
});
