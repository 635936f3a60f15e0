import { createHash } from 'node:crypto';
import { shorten } from '#lib/text.ts';
import { visibleText } from '#lib/visible-text.ts';
import { PAGE } from '../charts/colours.ts';
import { scoreDial } from '../charts/score.ts';
import { filledSections, kickerOf, sourcesOf, type Document, type Section } from '../document.ts';
import { blocksHtml } from './block.ts';
import { citing, name, shown, type Cite } from './markup.ts';
import { STYLE } from './style.ts';

/** What a page may do beyond showing itself: send its forms to this service, play sound from these origins besides it. */
type Allowed = { forms?: boolean; sound?: readonly string[] };

/** The headers of a page: its style is allowed by its hash; scripts, frames and everything that is not named are not allowed. */
export function pageHeaders(style: string, { forms = false, sound }: Allowed = {}) {
  const hash = createHash('sha256').update(style).digest('base64');
  const media = sound ? ` media-src ${["'self'", ...sound].join(' ')};` : '';
  const targets = forms ? "'self'" : "'none'";
  return {
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self';${media} base-uri 'none'; form-action ${targets}; frame-ancestors 'none'`,
    'cache-control': 'no-cache',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

export const PAGE_HEADERS = pageHeaders(STYLE);

/** Where the page stands, and the picture that goes with a link to it. */
export type PageAddress = { url: string; image: { url: string; width: number; height: number } };

/** What a page is called, in a browser and where a link to it is shown. Texts as they came. */
export type PageHead = { title: string; description: string; url: string; image: { url: string; width?: number; height?: number } | null };

/** A document as a page in one file: no script, nothing loaded from elsewhere, ready to be sent on. */
export function htmlPage(document: Document, address: PageAddress): string {
  const sections = filledSections(document.sections);
  const cite = citing(sourcesOf(document));
  const main = `${topOf(document)}
<nav aria-label="Contents"><ul>${sections.map(({ id, name: title }) => `<li><a href="#${shown(id)}">${shown(title)}</a></li>`).join('')}</ul></nav>
${sections.map((section) => sheet(section, cite)).join('\n')}`;
  const head = { title: `${document.title}: ${document.kind.toLowerCase()}`, description: document.summary, ...address };
  return framePage({ head, style: STYLE, main, imprint: document.imprint });
}

/** A whole page around its content. @param main markup; every text from outside is escaped in it */
export const framePage = ({ head, style, main, imprint }: { head: PageHead; style: string; main: string; imprint: string }): string =>
  `<!doctype html>
<html lang="en">
<head>
${headOf(head)}
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<main id="content">
${main}
</main>
<footer>${shown(imprint)}</footer>
</body>
</html>
`;

function headOf({ title: named, description: told, url, image }: PageHead): string {
  const title = shown(named);
  const description = shown(shorten(visibleText(told), 200));
  const size =
    image?.width && image.height
      ? `
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${image.width}">
<meta property="og:image:height" content="${image.height}">`
      : '';
  const picture = image
    ? `
<meta property="og:image" content="${shown(image.url)}">${size}
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">`
    : '';
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
<meta property="og:site_name" content="Groundwork">${picture}`;
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
