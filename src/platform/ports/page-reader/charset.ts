const META_WINDOW = 2048;

/**
 * Decodes a page as browsers do: byte order mark, then the charset of the Content-Type, then the page's own meta,
 * then UTF-8, or windows-1252 where the bytes are no UTF-8.
 */
export function decodeText(body: Buffer, contentType: string, isHtml: boolean): string {
  const label = byteOrderMark(body) ?? headerCharset(contentType) ?? (isHtml ? metaCharset(body) : undefined);
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder) return decoder.decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

function byteOrderMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return undefined;
}

const headerCharset = (contentType: string): string | undefined => /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];

function metaCharset(body: Buffer): string | undefined {
  const start = body.subarray(0, META_WINDOW).toString('latin1');
  const label = (
    /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start) ?? /<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(start)
  )?.[1];
  // A page whose meta could be read as ASCII is not UTF-16, whatever it says (HTML, 13.2.3.2).
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
