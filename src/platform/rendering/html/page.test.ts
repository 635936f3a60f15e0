import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { documentOf, emptyDocument, HOSTILE_TEXT } from '#testing/sample-document.ts';
import { htmlPage } from './page.ts';

const ADDRESS = { url: 'https://service.example/share/token', image: { url: 'https://service.example/og.png', width: 1200, height: 630 } };
const page = (text: string, url?: string) => htmlPage(documentOf(text, url), ADDRESS);

describe('a page', () => {
  it('shows texts from outside and runs none of them', () => {
    const { document } = parseHTML(page(HOSTILE_TEXT, 'javascript:alert(1)'));
    expect(document.querySelectorAll('script, img, iframe, object, form')).toHaveLength(0);
    expect(document.querySelectorAll('style')).toHaveLength(1);
    for (const element of document.querySelectorAll('*')) for (const { name } of element.attributes) expect(name).not.toMatch(/^on|^style$/i);
    expect(document.querySelector('h1')?.textContent).toContain('<script>alert(1)</script>');
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(page(HOSTILE_TEXT)).not.toMatch(/[\u0000\u001b\u009b\u202e\u2066]/);
  });

  it('links addresses of the web alone, without credentials', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'catalogue:acme', '//no.example'])
      expect(
        [...parseHTML(page('A text', url)).document.querySelectorAll('main a')].every((link) => link.getAttribute('href')?.startsWith('#')),
      ).toBe(true);
    const html = page('A text', 'https://user:secret@site.example/"><b>');
    expect(html).toContain('href="https://site.example/%22%3E%3Cb%3E"');
    expect(html).not.toContain('secret');
  });

  it('leads each citation to a source that it lists, and leaves out those it does not', () => {
    const { document } = parseHTML(page('A text'));
    const cited = [...document.querySelectorAll('.cite a')].map((link) => link.getAttribute('href') ?? '');
    expect(new Set(cited)).toEqual(new Set(['#s1', '#s2', '#s3']));
    for (const place of cited) expect(document.getElementById(place.slice(1))).not.toBeNull();
    expect(document.querySelector('.cite a')?.getAttribute('aria-label')).toBe('Source 1: A text');
  });

  it('keeps headings in order and names each part once', () => {
    const { document } = parseHTML(page('A text'));
    const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName.slice(1)));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps a word of 10,000 letters whole, and a text from right to left as it is', () => {
    const word = 'x'.repeat(10_000);
    expect(page(word)).toContain(`<p class="lead">`);
    expect(page(word)).toContain(word);
    expect(parseHTML(page('قائمة התסוק')).document.querySelector('h1 bdi')?.textContent).toBe('قائمة התסוק');
  });

  it('of an empty document has no parts', () => {
    const { document } = parseHTML(htmlPage(emptyDocument, ADDRESS));
    expect(document.querySelectorAll('section, nav li, .verdict')).toHaveLength(0);
    expect(document.documentElement.textContent).not.toMatch(/undefined|NaN|null/);
  });
});
