import { createHash } from 'node:crypto';
import { shorten } from '#lib/text.ts';
import { visibleText } from '#lib/visible-text.ts';
import { shown } from './markup.ts';
import { STYLE } from './page-style.ts';

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** The style is allowed by its hash; scripts, frames, forms and everything from elsewhere are not. */
export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-cache',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

export type SharedPage = {
  title: string;
  summary: string;
  /** Address of the page; its picture is below it. */
  url: string;
  /** Markup of the parts, each with the id and name that the contents link to. */
  top: string;
  parts: readonly { id: string; name: string; html: string }[];
  footer: string;
};

/** A page as one file: no script, nothing loaded from elsewhere, ready to be sent on. */
export function layout({ title, summary, url, top, parts, footer }: SharedPage): string {
  const filled = parts.filter(({ html }) => html !== '');
  const description = shown(shorten(visibleText(summary), 200));
  const image = shown(`${url}/og.png`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shown(title)}</title>
<meta name="description" content="${description}">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="canonical" href="${shown(url)}">
<meta property="og:type" content="article">
<meta property="og:title" content="${shown(title)}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${shown(url)}">
<meta property="og:site_name" content="Groundwork">
<meta property="og:image" content="${image}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${shown(title)}">
<meta name="twitter:card" content="summary_large_image">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<main id="content">
${top}
<nav aria-label="Contents"><ul>${filled.map(({ id, name }) => `<li><a href="#${id}">${shown(name)}</a></li>`).join('')}</ul></nav>
${filled.map(({ html }) => html).join('\n')}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
}
