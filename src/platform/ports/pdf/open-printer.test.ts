import { afterAll, describe, expect, it } from 'vitest';
import { openPrinter, PrintFailed } from './open-printer.ts';
import type { Block, Paper } from './paper.ts';

const paper: Paper = {
  kind: 'Report',
  title: 'Ωmega Жук ◐ und „Zitat“',
  subtitle: 'About signs',
  language: 'el',
  facts: [{ label: 'Signs', value: '✓' }],
  sections: [
    { heading: 'First', blocks: [{ kind: 'paragraph', spans: ['As said ', { text: '[1]', to: 'source-1' }] }] },
    {
      heading: 'Sources',
      blocks: [{ kind: 'sources', items: [{ anchor: 'source-1', spans: [{ text: 'A site', link: 'https://site.example/' }] }] }],
    },
  ],
  imprint: 'By nobody',
  createdAt: new Date('2026-03-04T05:06:07Z'),
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

  it('sets words of 5,000 signs, scripts without a font and scripts from right to left, in texts and in pictures', async () => {
    const hostile = `<script>${'x'.repeat(5000)} 購物清單 👨‍👩‍👧‍👦 قائمة التسوق المشتركة רשימת קניות \u202Eevil\u0000 ${'語'.repeat(5000)}`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 20" font-family="Inter"><text x="1" y="9">購物 قائمة التسوق &lt;b&gt;</text></svg>`;
    const blocks: Block[] = [
      { kind: 'heading', text: hostile.slice(0, 300) },
      { kind: 'paragraph', spans: [hostile] },
      { kind: 'list', items: [[hostile]] },
      { kind: 'outline', items: [{ depth: 6, title: hostile, text: hostile, tags: [hostile.slice(0, 100)] }] },
      {
        kind: 'table',
        columns: [
          { title: hostile.slice(0, 40), width: 105 },
          { title: 'b', width: 'rest' },
        ],
        rows: [[[hostile.slice(0, 400)], [hostile.slice(0, 400)]]],
      },
      { kind: 'picture', svg, width: 90, alternative: 'labels' },
    ];
    const bytes = await printer.pdf({
      ...paper,
      title: hostile.slice(0, 80),
      subtitle: hostile,
      sections: [{ heading: hostile.slice(0, 200), blocks }],
    });
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-');
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
    const section = { heading: 'Picture', blocks: [{ kind: 'picture', svg, width: 50, alternative: 'none' } as const] };
    const settled = await printer.pdf({ ...paper, sections: [section] }).then(
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
