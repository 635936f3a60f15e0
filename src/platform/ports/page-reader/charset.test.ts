import { describe, expect, it } from 'vitest';
import { decodeText } from './charset.ts';

const html = (head: string, text: Buffer): Buffer => Buffer.concat([Buffer.from(`<html><head>${head}</head><body>`), text, Buffer.from('</body>')]);
const latin = Buffer.from('caf\u00e9', 'latin1');
const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);

describe('the charset of a page', () => {
  it('comes from the header', () => {
    expect(decodeText(latin, 'text/html; charset=ISO-8859-1', true)).toBe('café');
    expect(decodeText(cyrillic, 'text/plain; charset="windows-1251"', false)).toBe('Привет');
  });

  it('comes from the byte order mark before all else', () => {
    expect(decodeText(Buffer.from('\ufeffcafé', 'utf8'), 'text/html; charset=iso-8859-1', true)).toBe('café');
    expect(decodeText(Buffer.from('\ufeffcafé', 'utf16le'), 'text/html', true)).toBe('café');
  });

  it('comes from meta where the header is silent', () => {
    expect(decodeText(html('<meta charset="shift_jis">', japanese), 'text/html', true)).toContain('日本');
    expect(decodeText(html('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', cyrillic), 'text/html', true)).toContain(
      'Привет',
    );
    expect(decodeText(html('<meta charset=windows-1251>', cyrillic), 'text/html; charset=utf-8', true)).not.toContain('Привет');
  });

  it('that meta claims to be UTF-16 is UTF-8', () => {
    expect(decodeText(html('<meta charset="utf-16">', Buffer.from('café')), 'text/html', true)).toContain('café');
  });

  it('unknown or unstated is UTF-8, else windows-1252', () => {
    expect(decodeText(Buffer.from('café €'), 'text/html; charset=klingon', true)).toBe('café €');
    expect(decodeText(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x80]), 'text/html', true)).toBe('café €');
  });
});
