import { afterAll, describe, expect, it } from 'vitest';
import { openPrinter, PrintFailed } from './open-printer.ts';
import type { Document } from '../document.ts';
import { documentOf, emptyDocument, HOSTILE_TEXT } from '#testing/sample-document.ts';

const paper: Document = {
  ...emptyDocument,
  title: 'Ωmega Жук ◐ und „Zitat“',
  subtitle: 'About signs',
  language: 'el',
  facts: [{ label: 'Signs', value: '✓' }],
  sections: [
    { id: 'first', name: 'First', heading: 'First', blocks: [{ kind: 'paragraph', line: { text: 'As said', cites: [1] } }] },
    {
      id: 'sources',
      name: 'Sources',
      heading: 'Sources',
      blocks: [{ kind: 'sources', sources: [{ title: 'A site', url: 'https://site.example/', note: '', snippet: '' }] }],
    },
  ],
  imprint: 'By nobody',
};

const script = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const HANGS = script('import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {});');
const DIES = script('throw new Error("no fonts here")');

describe('the printer', () => {
  const printer = openPrinter({ threads: 1 });
  afterAll(() => printer.close());

  it('sets a paper with its title, its language and links that work', async () => {
    const bytes = Buffer.from(await printer.pdf(paper));
    const text = bytes.toString('latin1');
    expect(text.slice(0, 5)).toBe('%PDF-');
    expect(text).toContain('/Lang (el)');
    expect(text).toContain('https://site.example/');
    expect(text).toContain('/Title');
    expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
  });

  it('sets every kind of block with words of 10,000 letters, scripts without a font and scripts from right to left', async () => {
    const hostile = `${HOSTILE_TEXT} ${'x'.repeat(10_000)} 購物清單 👨‍👩‍👧‍👦 قائمة التسوق المشتركة רשימת קניות ${'語'.repeat(2000)}`;
    const document = { ...documentOf(hostile.slice(0, 400)), subtitle: hostile };
    const [first, ...rest] = document.sections;
    if (!first) throw new Error('the sample has sections');
    const texts = {
      ...first,
      blocks: [...first.blocks, { kind: 'paragraph' as const, line: { text: hostile } }, { kind: 'list' as const, items: [{ text: hostile }] }],
    };
    const bytes = await printer.pdf({ ...document, sections: [texts, ...rest] });
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-');
  });

  it('links to the web alone', async () => {
    const link = async (url: string) => Buffer.from(await printer.pdf(documentOf('A text', url))).toString('latin1');
    expect(await link('https://user:secret@site.example/x')).toContain('/URI (https://site.example/x)');
    expect(await link('javascript:alert(1)')).not.toMatch(/\/URI|javascript/);
  });

  it('leads citations to sources', async () => {
    const text = Buffer.from(await printer.pdf(documentOf('A text'))).toString('latin1');
    for (const place of [1, 2, 3]) expect(text).toContain(`(source-${place})`);
  });

  it('sets an empty document', async () => {
    expect((await printer.pdf(emptyDocument)).length).toBeGreaterThan(1000);
  });

  it('draws an SVG as PNG of a width', async () => {
    const bytes = Buffer.from(
      await printer.png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="9" height="9"/></svg>', 200),
    );
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([200, 100]);
  });

  it('says when something cannot be drawn, and goes on', async () => {
    await expect(printer.png('<svg', 200)).rejects.toThrow(PrintFailed);
    expect((await printer.pdf(paper)).length).toBeGreaterThan(1000);
  });

  it('reads no file and no address that a picture names', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><image xlink:href="/etc/passwd" width="9" height="9"/></svg>';
    const settled = await printer.png(svg, 90).then(
      (bytes) => Buffer.from(bytes).toString('latin1'),
      (error: unknown) => String(error),
    );
    expect(settled).not.toContain('root:');
  });
});

describe('a renderer that is not as it should be', () => {
  it('is given up when it takes too long', async () => {
    const printer = openPrinter({ threads: 1, limitMs: 300, script: HANGS });
    await expect(printer.pdf(paper)).rejects.toThrow(/longer than 300 ms/);
    await printer.close();
  });

  it('is given up when it cannot start', async () => {
    const printer = openPrinter({ threads: 1, script: DIES });
    await expect(printer.pdf(paper)).rejects.toThrow(/no fonts here/);
    await printer.close();
  });

  it('takes no more work than can wait, and leaves nobody waiting when it closes', async () => {
    const printer = openPrinter({ threads: 1, maxWaiting: 1, script: HANGS });
    const first = printer.pdf(paper);
    const second = printer.pdf(paper);
    await expect(printer.pdf(paper)).rejects.toThrow(/waiting already/);
    const both = Promise.allSettled([first, second]);
    await printer.close();
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(printer.pdf(paper)).rejects.toThrow(/closed/);
  });
});
