import { createHash } from 'node:crypto';
import { shorten } from '#lib/text.ts';
import { visibleText } from '#lib/visible-text.ts';
import { PAGE } from '../charts/colours.ts';
import { scoreDial } from '../charts/score.ts';
import { filledSections, kickerOf, sourcesOf, type Document, type Section } from '../document.ts';
import { blocksHtml } from './block.ts';
import { citing, name, shown, type Cite } from './markup.ts';
import { STYLE } from './style.ts';

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** The style is allowed by its hash; scripts, frames, forms and everything from elsewhere are not. */
export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-cache',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Where the page stands, and the picture that goes with a link to it. */
export type PageAddress = { url: string; image: { url: string; width: number; height: number } };

/** A document as a page in one file: no script, nothing loaded from elsewhere, ready to be sent on. */
export function htmlPage(document: Document, address: PageAddress): string {
  const sections = filledSections(document.sections);
  const cite = citing(sourcesOf(document));
  return `<!doctype html>
<html lang="en">
<head>
${headOf(document, address)}
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<main id="content">
${topOf(document)}
<nav aria-label="Contents"><ul>${sections.map(({ id, name: title }) => `<li><a href="#${shown(id)}">${shown(title)}</a></li>`).join('')}</ul></nav>
${sections.map((section) => sheet(section, cite)).join('\n')}
</main>
<footer>${shown(document.imprint)}</footer>
</body>
</html>
`;
}

function headOf(document: Document, { url, image }: PageAddress): string {
  const title = shown(`${document.title}: ${document.kind.toLowerCase()}`);
  const description = shown(shorten(visibleText(document.summary), 200));
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="canonical" href="${shown(url)}">
<meta property="og:type" content="article">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${shown(url)}">
<meta property="og:site_name" content="Groundwork">
<meta property="og:image" content="${shown(image.url)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${image.width}">
<meta property="og:image:height" content="${image.height}">
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">`;
}

function topOf(document: Document): string {
  const { title, subtitle, facts } = document;
  const language = document.language === 'en' ? '' : ` lang="${shown(document.language)}"`;
  const lead = subtitle === '' ? '' : `\n<p class="lead"${language}>${name(subtitle)}</p>`;
  const counted = facts.map(({ label, value }) => `<li><strong>${shown(value)}</strong> ${shown(label)}</li>`).join('');
  return `<header class="top">
<p class="kicker">${shown(kickerOf(document))}</p>
<h1${language}>${name(title)}</h1>${lead}
</header>
<div class="sheet">
${verdictOf(document)}
<ul class="facts">${counted}</ul>
</div>`;
}

function verdictOf({ score }: Document): string {
  if (!score) return '';
  const { value, word, grade, about } = score;
  return `<div class="verdict">
${scoreDial(value, grade, PAGE, 220)}
<div><p class="word ${grade}">${shown(word)}</p>
<p><span class="sr">${Math.round(value)} of 100. </span>${shown(about)}</p></div>
</div>`;
}

const sheet = ({ id, heading, blocks }: Section, cite: Cite): string =>
  `<section class="sheet" aria-labelledby="${shown(id)}"><h2 id="${shown(id)}">${shown(heading)}</h2>
${blocksHtml(blocks, { level: 3, cite })}</section>`;
