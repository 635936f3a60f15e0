import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { collapseSpaces, shorten } from '#lib/text.ts';
import { plainLines, type TextNode } from './plain-lines.ts';
import { publishedIn } from './published-in.ts';
import { trimHtml, type TrimmedHtml } from './trim-html.ts';

export type HtmlText = { title: string; text: string; publishedAt: string | null };

type Element = TextNode & { getAttribute(name: string): string | null; remove(): void };
type Page = { title: string; body: Element; querySelectorAll(selector: string): Iterable<Element> };

const LONGEST_TEXT = 100_000;
const LONGEST_TITLE = 300;
/** Below this many characters an article counts as not found. */
const ARTICLE = 250;
const NOT_SHOWN = 'nav, footer, dialog, [hidden], [aria-hidden="true"], [role="navigation"], [role="contentinfo"], [role="dialog"]';
const INVISIBLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** The readable text of an HTML page: its article where it has one, else all that it shows. */
export function htmlToText(html: string): HtmlText {
  const trimmed = trimHtml(html);
  const page = openPage(trimmed);
  const publishedAt = publishedIn(page, trimmed.structured);
  const titles = [metaTitle(page), page.title];
  const article = readArticle(page);
  const text =
    article && article.text.length >= ARTICLE ? article.text : longer(article?.text ?? '', plainLines(openPage(trimmed).body, LONGEST_TEXT));
  const title = [article?.title ?? '', ...titles].map(collapseSpaces).find((candidate) => candidate !== '') ?? '';
  return { title: shorten(title, LONGEST_TITLE), text, publishedAt };
}

function openPage({ head, body }: TrimmedHtml): Page {
  const { document } = parseHTML(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`) as unknown as { document: Page };
  for (const element of document.querySelectorAll(NOT_SHOWN)) element.remove();
  for (const element of document.querySelectorAll('[style]')) if (INVISIBLE.test(element.getAttribute('style') ?? '')) element.remove();
  return document;
}

function readArticle(page: Page): { title: string; text: string } | null {
  try {
    const article = new Readability<TextNode>(page as never, { serializer: (node) => node as unknown as TextNode }).parse();
    return article?.content ? { title: article.title ?? '', text: plainLines(article.content, LONGEST_TEXT) } : null;
  } catch {
    return null;
  }
}

const longer = (left: string, right: string): string => (left.length > right.length ? left : right);

function metaTitle(page: Page): string {
  for (const meta of page.querySelectorAll('meta[property="og:title"]')) return meta.getAttribute('content') ?? '';
  return '';
}
