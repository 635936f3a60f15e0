import { truncate } from '#lib/text.ts';
import { decodeText } from './charset.ts';
import { htmlToText, type HtmlText } from './html-to-text.ts';

/** A page as it came: its bytes, decompressed, and what its header calls them. */
export type RawPage = { bytes: Uint8Array; contentType: string; isHtml: boolean };

const LONGEST_TEXT = 100_000;

/** What a page says. The time that this takes is up to whoever wrote the page, so it belongs on a thread of its own. */
export function pageText({ bytes, contentType, isHtml }: RawPage): HtmlText {
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType, isHtml);
  return isHtml ? htmlToText(decoded) : plainText(decoded);
}

const plainText = (text: string): HtmlText => ({
  title: '',
  text: truncate(text.replaceAll(/\r\n?/g, '\n').trim(), LONGEST_TEXT),
  publishedAt: null,
});
