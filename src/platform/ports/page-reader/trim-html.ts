import { escapeHtml, truncate } from '#lib/text.ts';

/** A page made small and well-formed enough to parse: what stands in the head, what is shown, and its JSON-LD. */
export type TrimmedHtml = { head: string; body: string; structured: string[] };

const MOST_CHARACTERS = 400_000;
const MOST_ELEMENTS = 10_000;
const MOST_REFERENCES = 20_000;
const DEEPEST = 100;
const MOST_METAS = 200;
const MOST_STRUCTURED = 10;
const LONGEST_STRUCTURED = 200_000;
const LONGEST_TITLE = 1000;
const LONGEST_VALUE = 400;

const DROPPED: ReadonlySet<string> = new Set(
  'script style noscript template svg iframe canvas object select textarea xmp noembed noframes audio video datalist map'.split(' '),
);
const VOID: ReadonlySet<string> = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const FRAME: ReadonlySet<string> = new Set('html head body frameset base link'.split(' '));
const KEPT: ReadonlySet<string> = new Set(
  'class id role rel itemprop property name content datetime pubdate hidden aria-hidden style href alt dir lang colspan'.split(' '),
);

type Scan = {
  html: string;
  at: number;
  head: string[];
  body: string[];
  structured: string[];
  open: string[];
  size: number;
  elements: number;
  metas: number;
  references: number;
  titled: boolean;
  /** Elements that are never closed from here on, so that the search for their end is not repeated. */
  endless: Set<string>;
};

/**
 * One pass over untrusted HTML, linear in its length: drops what is never shown or read, all attributes but those that text
 * extraction looks at, and whatever exceeds the bounds on size, number and depth of elements.
 */
export function trimHtml(html: string): TrimmedHtml {
  const counts = { size: 0, elements: 0, metas: 0, references: 0, titled: false };
  const scan: Scan = { html, at: 0, head: [], body: [], structured: [], open: [], endless: new Set(), ...counts };
  while (scan.at < html.length && scan.size < MOST_CHARACTERS) {
    const next = html.indexOf('<', scan.at);
    const end = next < 0 ? html.length : next;
    emit(scan, html.slice(scan.at, Math.min(end, scan.at + MOST_CHARACTERS - scan.size)));
    scan.at = end;
    if (next >= 0) readMarkup(scan);
  }
  return { head: scan.head.join(''), body: scan.body.join(''), structured: scan.structured };
}

function emit(scan: Scan, text: string): void {
  if (text === '') return;
  for (let place = text.indexOf('&'); place >= 0; place = text.indexOf('&', place + 1)) scan.references += 1;
  // The parser makes a text node of its own of every reference.
  scan.body.push(scan.references > MOST_REFERENCES ? text.replaceAll(/&(?:lt;)?/g, ' ') : text);
  scan.size += text.length;
}

const NAME = /<(\/?)([a-z][^\s/>]{0,60})/iy;

function readMarkup(scan: Scan): void {
  const { html, at } = scan;
  if (html.startsWith('<!--', at)) return skipTo(scan, '-->', 4);
  if (html[at + 1] === '!' || html[at + 1] === '?') return skipTo(scan, '>', 2);
  NAME.lastIndex = at;
  const found = NAME.exec(html);
  if (!found) {
    emit(scan, '&lt;');
    scan.at += 1;
    return;
  }
  scan.at = NAME.lastIndex;
  const name = (found[2] ?? '').toLowerCase();
  const attributes = readAttributes(scan);
  if (found[1] === '/') closeElement(scan, name);
  else openElement(scan, name, attributes);
}

function skipTo(scan: Scan, end: string, from: number): void {
  const found = scan.html.indexOf(end, scan.at + from);
  scan.at = found < 0 ? scan.html.length : found + end.length;
}

const ATTRIBUTE = /[\s/]*([^\s=>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/y;
const TAG_END = /[^>]*>/y;

/** Reads to behind the tag's `>`. */
function readAttributes(scan: Scan): Map<string, string> {
  const { html } = scan;
  const attributes = new Map<string, string>();
  ATTRIBUTE.lastIndex = scan.at;
  for (let found = ATTRIBUTE.exec(html); found; found = ATTRIBUTE.exec(html)) {
    scan.at = ATTRIBUTE.lastIndex;
    const name = (found[1] ?? '').toLowerCase();
    const value = found[2] ?? found[3] ?? found[4] ?? '';
    if ((KEPT.has(name) || name === 'type') && !attributes.has(name)) attributes.set(name, truncate(value, LONGEST_VALUE));
  }
  TAG_END.lastIndex = scan.at;
  scan.at = TAG_END.test(html) ? TAG_END.lastIndex : html.length;
  return attributes;
}

function openElement(scan: Scan, name: string, attributes: Map<string, string>): void {
  if (name === 'title' || DROPPED.has(name)) return takeContent(scan, name, attributes);
  if (name === 'meta') {
    if (scan.metas < MOST_METAS) scan.head.push(tagOf(name, attributes));
    scan.metas += 1;
    return;
  }
  if (FRAME.has(name) || !/^[a-z][a-z0-9-]*$/.test(name)) return;
  if (scan.elements >= MOST_ELEMENTS || (scan.open.length >= DEEPEST && !VOID.has(name))) return emit(scan, ' ');
  scan.elements += 1;
  if (!VOID.has(name)) scan.open.push(name);
  emit(scan, tagOf(name, attributes));
}

function closeElement(scan: Scan, name: string): void {
  const place = scan.open.lastIndexOf(name);
  if (place < 0) return;
  scan.open.length = place;
  emit(scan, `</${name}>`);
}

/** Jumps over an element whose content is not shown, keeping titles and JSON-LD; one that is never closed loses its tag alone. */
function takeContent(scan: Scan, name: string, attributes: Map<string, string>): void {
  if (scan.endless.has(name)) return;
  const end = new RegExp(`</${name}(?=[\\s/>])[^>]{0,200}>`, 'gi');
  end.lastIndex = scan.at;
  const found = end.exec(scan.html);
  if (!found) {
    scan.endless.add(name);
    if (name === 'script' || name === 'style') scan.at = scan.html.length;
    return;
  }
  const content = scan.html.slice(scan.at, found.index);
  scan.at = end.lastIndex;
  if (name === 'title' && !scan.titled) {
    scan.head.push(`<title>${truncate(content, LONGEST_TITLE).replaceAll('<', '&lt;')}</title>`);
    scan.titled = true;
  }
  const isStructured = name === 'script' && /ld\+json/i.test(attributes.get('type') ?? '');
  if (isStructured && scan.structured.length < MOST_STRUCTURED && content.length <= LONGEST_STRUCTURED) scan.structured.push(content);
}

function tagOf(name: string, attributes: Map<string, string>): string {
  const written = [...attributes].filter(([key]) => KEPT.has(key)).map(([key, value]) => ` ${key}="${quoted(value)}"`);
  return `<${name}${written.join('')}>`;
}

/** Character references stay as they are; only what would end the value is escaped. */
const quoted = (value: string): string => (value.includes('"') || value.includes('<') ? escapeHtml(value).replaceAll('&amp;', '&') : value);
