import { existsSync } from 'node:fs';
import axeCore from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { HOSTILE_TEXT } from '#testing/sample-document.ts';
import { wave } from '#testing/wave-form.ts';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const LONG = 'A text that is long enough to wrap on any screen, because it goes on and on';
const blocksWith = (text: string) => [
  { blockType: 'hero', eyebrow: 'Budgeting', title: text, subtitle: text },
  {
    blockType: 'stats',
    heading: 'What was compared',
    items: [...Array.from({ length: 3 }, (_, at) => ({ label: 'products', value: at * 1234 })), { label: text, value: text }],
  },
  { blockType: 'richText', heading: 'The market', text: `${text}\n\n${text}` },
  {
    blockType: 'richText',
    heading: 'Edited',
    content: {
      root: {
        children: [
          { type: 'heading', tag: 'h2', children: [{ type: 'text', text }] },
          {
            type: 'paragraph',
            children: [
              { type: 'text', text: 'Bold', format: 1 },
              { type: 'link', fields: { url: 'https://example.org' }, children: [{ type: 'text', text: ' a link' }] },
            ],
          },
          { type: 'list', tag: 'ul', children: [{ type: 'listitem', children: [{ type: 'text', text }] }] },
        ],
      },
    },
  },
  { blockType: 'featureList', heading: 'What it would do', items: Array.from({ length: 4 }, () => ({ title: text, description: text, tag: text })) },
  { blockType: 'divider' },
  {
    blockType: 'sessionReplay',
    title: 'The interview',
    audio_key: 'sessions/one.wav',
    transcript_segments: Array.from({ length: 30 }, (_, at) => ({ speaker: at % 2 ? 'Ada' : 'Grace', text, t: at * 7.5 })),
    advisors: [{ persona: 'The skeptic', text, audio_key: 'sessions/one.wav', voice_id: 'v' }],
    research_summary: text,
    referrer_device_id: null,
    cta: { label: 'Try it', url: 'https://example.org/try' },
  },
  { blockType: 'voteClip', question: 'Would you use it?', up_label: 'Yes', down_label: 'No' },
  { blockType: 'roast_clip', prompt: 'Say what is wrong with it' },
  { blockType: 'callToAction', text, label: 'Read the whole brief', url: 'https://example.org/brief' },
];

describe.skipIf(!existsSync(CHROMIUM))('a page of blocks in a browser', async () => {
  const app = await startTestApp({ env: { ROLES: 'api', TRUST_PROXY: '1' } });
  let browser: Browser;
  let callers = 0;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    await app.ctx.blobs.put('sessions/one.wav', { bytes: wave(40_000), contentType: 'audio/wav' });
    for (const [slug, text] of [
      ['long', LONG],
      ['hostile', HOSTILE_TEXT],
    ] as const) {
      const page = { slug, title: text, description: text, og_image_url: null, blocks: blocksWith(text), published: true };
      await app.ctx.content.put({ ...page, sort_order: 0, research: null, project_id: null });
    }
  });
  afterAll(async () => {
    await browser.close();
    await app.dispose();
  });

  /** The page as a caller of its own opens it, with what its console and its network said. */
  async function open(slug: string, { width = 1280, colorScheme = 'light' as 'light' | 'dark' } = {}) {
    callers += 1;
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 800 },
      extraHTTPHeaders: { 'x-forwarded-for': `2001:db8:0:${callers.toString(16)}::1` },
    });
    const page = await context.newPage();
    const said: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${app.url}/clip/${slug}`);
    return { page, said, asked, close: () => context.close() };
  }

  for (const slug of ['long', 'hostile']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1280]) {
        it(`has nothing serious for axe, fits, runs nothing and asks nobody else: ${slug}, ${colorScheme}, ${width} wide`, async () => {
          const { page, said, asked, close } = await open(slug, { width, colorScheme });
          const found = (await page.evaluate(`${axeCore.source};axe.run(document)`)) as { violations: { id: string; impact: string }[] };
          expect(found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
          expect(await page.evaluate('document.querySelectorAll("script, img, iframe").length')).toBe(0);
          expect(asked.filter((url) => !url.startsWith(app.url))).toEqual([]);
          expect(said.filter((line) => /Content Security Policy/i.test(line))).toEqual([]);
          await close();
        });
      }
    }
  }

  /** What has the focus: its name, or its element. */
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim() || document.activeElement.localName');
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let tabs = 0; tabs < 80; tabs += 1) {
      await page.keyboard.press('Tab');
      if ((await focused(page)) === name) return;
    }
    expect.fail(`the keyboard does not reach ${name}`);
  }

  it('takes a vote with a comment from the keyboard alone, and a change of mind', async () => {
    const { page, close } = await open('long');
    await tabTo(page, 'textarea');
    await page.keyboard.type('Enter is a new line,');
    await page.keyboard.press('Enter');
    await page.keyboard.type('and no vote');
    await tabTo(page, 'No');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ballot');
    expect(await page.textContent('main')).toContain('0 votes for it, 1 vote against it.');
    expect(await page.getByRole('status').textContent()).toBe('Thank you, your vote counts.');
    await tabTo(page, 'Back to the page');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/clip/long');
    await tabTo(page, 'Yes');
    await page.keyboard.press('Space');
    await page.waitForURL('**/ballot');
    expect(await page.textContent('main')).toContain('1 vote for it, 0 votes against it.');
    await close();
  });

  it('plays its recordings from the keyboard, along the addresses that are signed when they are asked for', async () => {
    const { page, close } = await open('long');
    await page.focus('audio');
    await page.keyboard.press('Space');
    await expect.poll(() => page.evaluate<number>('document.querySelector("audio").currentTime'), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await page.evaluate('document.querySelector("audio").error')).toBe(null);
    await close();
  });

  it('takes a recording, and says so', async () => {
    const { page, close } = await open('long');
    await page.setInputFiles('input[type=file]', { name: 'roast.wav', mimeType: 'audio/wav', buffer: wave(2000) });
    await page.click('text=Send the recording');
    await page.waitForURL('**/roast');
    expect(await page.getByRole('status').textContent()).toBe('Thank you, your roast is on its way.');
    await close();
  });
});
