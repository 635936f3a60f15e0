import { collapseSpaces, truncate } from '#lib/text.ts';

/** The part of the DOM that reading text needs. */
export type TextNode = { nodeType: number; nodeName: string; textContent: string | null; childNodes: ArrayLike<TextNode> & Iterable<TextNode> };

const ELEMENT = 1;
const TEXT = 3;

const BLOCKS: ReadonlySet<string> = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BR BUTTON CAPTION DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR ' +
    'LI MAIN OL P PRE SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL'
  ).split(' '),
);
const CELLS: ReadonlySet<string> = new Set(['TD', 'TH']);

/** The text below a node, one line per block, cells of a table row separated by ` | `; at most `max` characters. */
export function plainLines(root: TextNode, max: number): string {
  const parts: string[] = [];
  let size = 0;
  const walk = (node: TextNode): void => {
    if (size > max) return;
    if (node.nodeType === TEXT) {
      const text = node.textContent ?? '';
      size += text.length;
      parts.push(text.replaceAll(/\s+/g, ' '));
      return;
    }
    if (node.nodeType !== ELEMENT) return;
    const name = node.nodeName.toUpperCase();
    if (BLOCKS.has(name)) parts.push('\n');
    for (const child of node.childNodes) walk(child);
    if (BLOCKS.has(name)) parts.push('\n');
    else if (CELLS.has(name)) parts.push(' | ');
  };
  walk(root);
  const lines = parts.join('').split('\n').map(tidyLine);
  return truncate(lines.filter((line) => line !== '').join('\n'), max);
}

const tidyLine = (line: string): string => collapseSpaces(line).replace(/(?: ?\|)+$/, '');
