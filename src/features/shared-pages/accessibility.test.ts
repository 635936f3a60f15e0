import { existsSync } from 'node:fs';
import axeCore from 'axe-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { marketArtifact } from '#testing/market-artifact.ts';
import { documentOf } from '#testing/sample-document.ts';
import { researchDocument } from '#features/reports';
import { htmlPage, PAGE_HEADERS } from '#platform/rendering/html/page.ts';
import { SHARE_IMAGE } from './share-image.ts';

const CHROMIUM = '/usr/bin/chromium';
const ADDRESS = 'http://service.example/share/token';
const address = { url: ADDRESS, image: { url: `${ADDRESS}/og.png`, ...SHARE_IMAGE } };
const PAGES = { 'a research': researchDocument(marketArtifact()), 'every kind of block': documentOf('A text that is long enough to wrap') };

describe.skipIf(!existsSync(CHROMIUM))('a shared page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
  });
  afterAll(() => browser.close());

  for (const [what, document] of Object.entries(PAGES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1280]) {
        it(`has nothing serious for axe, fits and asks nobody else, ${colorScheme}, ${width} wide: ${what}`, async () => {
          const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
          const page = await context.newPage();
          const asked: string[] = [];
          const said: string[] = [];
          page.on('console', (message) => said.push(message.text()));
          await page.route('**/*', (route) => {
            asked.push(route.request().url());
            return route.request().url() === ADDRESS
              ? route.fulfill({ body: htmlPage(document, address), headers: { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' } })
              : route.fulfill({ status: 204 });
          });
          await page.goto(ADDRESS);
          const found = (await page.evaluate(`${axeCore.source};axe.run(document)`)) as { violations: { id: string; impact: string }[] };
          expect(found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
          expect(asked.filter((url) => !url.startsWith('http://service.example/'))).toEqual([]);
          expect(said.filter((line) => /Content Security Policy/i.test(line))).toEqual([]);
          await context.close();
        });
      }
    }
  }
});
