import { z } from 'zod';
import { webAddress } from '#lib/visible-text.ts';
import { shown } from '#platform/rendering/html/markup.ts';

/** Texts between blank lines as paragraphs. */
export const paragraphsHtml = (text: string): string =>
  text
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => `<p>${linesHtml(paragraph)}</p>`)
    .join('\n');

const linesHtml = (text: string): string => text.split('\n').map(shown).join('<br>');

/** A node of Lexical's state, which Payload's editor stores (https://payloadcms.com/docs/rich-text/overview). */
const Node = z.object({
  type: z.string(),
  text: z.string().catch(''),
  format: z.number().catch(0),
  tag: z.string().catch(''),
  children: z.array(z.unknown()).catch([]),
  url: z.string().catch(''),
  fields: z.object({ url: z.string().catch('') }).catch({ url: '' }),
});
type Node = z.output<typeof Node>;

const Root = z.object({ root: z.object({ children: z.array(z.unknown()) }) });

/** Nobody nests a text deeper; what is below is left out. */
const DEEPEST = 12;
/** Bits of `format`. */
const BOLD = 1;
const ITALIC = 2;
const CODE = 16;

/** What an editor made, as far as it is text: paragraphs, headings, lists, quotes, links. Nothing for anything else. */
export function editedHtml(content: unknown): string {
  const { data } = Root.safeParse(content);
  return data ? childrenHtml(data.root.children, DEEPEST) : '';
}

function childrenHtml(children: readonly unknown[], depth: number): string {
  if (depth === 0) return '';
  return children
    .flatMap((child) => Node.safeParse(child).data ?? [])
    .map((node) => nodeHtml(node, depth - 1))
    .join('');
}

function nodeHtml(node: Node, depth: number): string {
  if (node.type === 'text') return textHtml(node);
  if (node.type === 'linebreak') return '<br>';
  const inside = childrenHtml(node.children, depth);
  switch (node.type) {
    case 'paragraph':
      return inside && `<p>${inside}</p>\n`;
    case 'heading':
      // The page's own headings stand above.
      return `<h3>${inside}</h3>\n`;
    case 'list':
      return node.tag === 'ol' ? `<ol class="plain">${inside}</ol>\n` : `<ul class="plain">${inside}</ul>\n`;
    case 'listitem':
      return `<li>${inside}</li>`;
    case 'quote':
      return `<blockquote class="callout">${inside}</blockquote>\n`;
    case 'link':
    case 'autolink':
      return anchor(node.fields.url || node.url, inside);
    default:
      return '';
  }
}

function textHtml({ text, format }: Node): string {
  let html = shown(text);
  if (format & CODE) html = `<code>${html}</code>`;
  if (format & ITALIC) html = `<em>${html}</em>`;
  return format & BOLD ? `<strong>${html}</strong>` : html;
}

/** @param inside markup */
function anchor(url: string, inside: string): string {
  const address = webAddress(url);
  return address ? `<a href="${shown(address)}" rel="nofollow noopener noreferrer">${inside}</a>` : inside;
}
