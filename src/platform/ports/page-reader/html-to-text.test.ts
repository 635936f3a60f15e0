import { describe, expect, it } from 'vitest';
import { HOSTILE_PAGES } from '#testing/hostile-pages.ts';
import { htmlToText } from './html-to-text.ts';

const NEWS = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Rental tool start-up Hireloop raises €4m | The Daily Ledger</title>
<meta property="og:title" content="Rental tool start-up Hireloop raises €4m"><meta property="article:published_time" content="2025-03-04T09:30:00+01:00">
<style>body { color: red }</style><script>window.dataLayer = []; document.write('<p>injected</p>');</script></head>
<body class="article-page"><header class="site-header"><nav><ul><li><a href="/">Home</a></li><li><a href="/tech">Technology</a></li></ul></nav></header>
<div class="cookie-banner" hidden>We value your privacy</div>
<main><article itemscope itemtype="https://schema.org/NewsArticle"><h1>Rental tool start-up Hireloop raises €4m</h1>
<p class="byline">By Ana Example, 4 March 2025</p>
<p>Hireloop, which lets neighbours rent drills, ladders and pressure washers from each other, has raised four million euros in a round led by Example Ventures.</p>
<p>The company says it has 38,000 registered tools in three cities &amp; takes a commission of 18&nbsp;percent, of which a third goes to insurance against damage.</p>
<p style="display: none">Subscribe to read the rest</p>
<h2>Why people stop lending</h2>
<p>In interviews, lenders complained above all about late returns and about disputes over who broke what; the start-up answers with photographs at hand-over.</p>
<blockquote><p>We found that trust, not price, decides whether somebody lends a second time, and that is what the money is for.</p></blockquote>
<p>Competitors such as Fat Llama and Peerby have tried the model before, with mixed results outside of large cities.</p>
<svg><text>logo text</text></svg></article>
<aside class="related"><h3>Related</h3><a href="/a">Ten gadgets you need</a></aside></main>
<footer><p>© The Daily Ledger. All rights reserved.</p></footer></body></html>`;

const PRICING = `<!doctype html><html><head><title>Pricing &mdash; Shelfie</title>
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"Shelfie"},{"@type":"WebPage","datePublished":"2024-11-05"}]}</script>
</head><body><nav>Product Docs Sign in</nav>
<div id="root"><section><h1>Simple pricing</h1><p>Start free.</p></section>
<table><thead><tr><th>Plan</th><th>Price</th><th>Items</th></tr></thead>
<tbody><tr><td>Free</td><td>€0</td><td>100</td></tr><tr><td>Team</td><td>€12 per month</td><td>unlimited</td></tr></tbody></table>
<ul><li>Barcode scanner</li><li>Low-stock alerts</li></ul><button>Start now</button></div>
<div role="contentinfo">Imprint</div><noscript>Please enable JavaScript</noscript></body></html>`;

const FORUM = `<html><head><title>Is there an app that splits rent by room size? - Flatmates Forum</title></head><body>
<div class="navbar" role="navigation"><a href="/new">New</a><a href="/top">Top</a></div>
<div class="thread"><div class="post"><div class="post-body"><p>We are four people in a flat with rooms of very different size, and every month we argue. Is there an app that
splits the rent by room size and keeps track of who has paid the electricity bill?</p><p>We tried a spreadsheet but nobody updates it.<br>Any ideas?</p></div></div>
<div class="post"><div class="post-body"><p>We use Splitwise for the bills, but the rent by room size you have to calculate yourself, which is exactly what started our arguments too.</p></div></div>
<div class="post"><div class="post-body"><p>I would pay three euros a month for that, honestly. The hard part is agreeing on what a balcony is worth &ndash; an app could at least show what others do.</p></div></div></div>
<div aria-hidden="true">decoration</div><footer class="foot">Powered by ExampleBoard</footer></body></html>`;

describe('a news article', () => {
  it('gives its text, title and date, and nothing of what surrounds it', () => {
    const page = htmlToText(NEWS);
    expect(page.title).toBe('Rental tool start-up Hireloop raises €4m');
    expect(page.publishedAt).toBe('2025-03-04T08:30:00.000Z');
    expect(page.text).toContain('Hireloop, which lets neighbours rent drills, ladders and pressure washers from each other');
    expect(page.text).toContain('38,000 registered tools in three cities & takes a commission of 18 percent');
    expect(page.text).toContain('Why people stop lending\n');
    expect(page.text).toContain('trust, not price');
    for (const other of [
      'privacy',
      'Subscribe',
      'dataLayer',
      'injected',
      'color: red',
      'Technology',
      'All rights reserved',
      'logo text',
      'gadgets',
    ]) {
      expect(page.text).not.toContain(other);
    }
  });
});

describe('a page of prices', () => {
  it('falls back to all that it shows, row by row', () => {
    const page = htmlToText(PRICING);
    expect(page.title).toBe('Pricing — Shelfie');
    expect(page.publishedAt).toBe('2024-11-05T00:00:00.000Z');
    expect(page.text.split('\n')).toEqual([
      'Simple pricing',
      'Start free.',
      'Plan | Price | Items',
      'Free | €0 | 100',
      'Team | €12 per month | unlimited',
      'Barcode scanner',
      'Low-stock alerts',
      'Start now',
    ]);
  });
});

describe('a forum thread', () => {
  it('gives every post', () => {
    const page = htmlToText(FORUM);
    expect(page.title).toContain('Is there an app that splits rent by room size?');
    expect(page.publishedAt).toBeNull();
    expect(page.text).toContain('four people in a flat');
    expect(page.text).toContain('nobody updates it.\nAny ideas?');
    expect(page.text).toContain('We use Splitwise for the bills');
    expect(page.text).toContain('what a balcony is worth – an app could');
    for (const other of ['ExampleBoard', 'decoration', 'Top']) expect(page.text).not.toContain(other);
  });
});

describe('the date', () => {
  it.each([
    ['<meta name="date" content="2024-01-02">', ''],
    ['<meta itemprop="datePublished" content="2024-01-02T00:00:00Z">', ''],
    ['<script type="application/ld+json">not json</script><script type="application/ld+json">[{"datePublished":"2024-01-02"}]</script>', ''],
    ['', '<article><time datetime="2024-01-02">2 January</time></article>'],
    ['<meta name="date" content="soon">', '<p><span itemprop="datePublished" content="2024-01-02"></span></p>'],
  ])('is found: %s %s', (head, body) => {
    expect(htmlToText(`<html><head>${head}</head><body>${body}<p>Text</p></body></html>`).publishedAt).toBe('2024-01-02T00:00:00.000Z');
  });
});

describe('broken and hostile pages', () => {
  it.each([
    ['nothing', '', ''],
    ['bare text', 'just words & more', 'just words & more'],
    ['unclosed elements', '<p>one<p>two<b>three', 'one\ntwothree'],
    ['stray signs', '1 < 2 and <3 is > 0', '1 < 2 and <3 is > 0'],
    ['an unclosed script', '<p>before</p><script>alert(1) <p>inside</p>', 'before'],
    ['an unclosed comment', '<p>before</p><!-- <p>inside</p>', 'before'],
    ['an unclosed svg', '<p>before</p><svg><p>behind</p>', 'before\nbehind'],
    ['a script with a tag in it', '<script>var a = "</p><script>";</script><p>behind</p>', 'behind'],
    ['a quoted >', '<p title="a > b">text</p>', 'text'],
    ['capitals', '<P>one</P><SCRIPT>two</SCRIPT><STYLE>x</STYLE>', 'one'],
    ['an attribute that ends the value', `<p class='a"><script>x</script>'>text</p>`, 'text'],
    ['text after </html>', '<html><body><p>one</p></body></html><p>two</p>', 'one\ntwo'],
  ])('%s', (_name, html, text) => {
    expect(htmlToText(html).text).toBe(text);
  });

  it.each([...HOSTILE_PAGES.keys()])('%s do not hang it', { timeout: 30_000 }, (name) => {
    const { text } = htmlToText(HOSTILE_PAGES.get(name) ?? '');
    expect(text.length).toBeLessThanOrEqual(100_000);
  });
});
