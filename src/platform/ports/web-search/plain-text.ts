import { collapseSpaces, storable } from '#lib/text.ts';

/** The named references of Latin-1 in order of their code points, 160 to 255 (HTML 4, 24.2.1). */
const LATIN = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo ' +
  'frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve ' +
  'Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
).split(' ');

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.map((name, place): [string, string] => [name, String.fromCodePoint(160 + place)]),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    hellip: '…',
    mdash: '—',
    ndash: '–',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    bull: '•',
    trade: '™',
    euro: '€',
    rarr: '→',
    larr: '←',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    zwnj: '',
    zwj: '',
  }),
]);

const TAG = /<!--[\s\S]{0,2000}?-->|<\/?[a-z][^<>]{0,2000}>/gi;
const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,10}));/gi;

/** Text of a search engine without its tags and character references, on one line. */
export function plainText(markup: string): string {
  const bare = markup.replaceAll(TAG, (tag) => (/^<\/?(?:br|p|div|li|td|h\d)\b/i.test(tag) ? ' ' : ''));
  return collapseSpaces(
    storable(bare.replaceAll(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => characterOf(hex, decimal, name) ?? whole)),
  );
}

function characterOf(hex?: string, decimal?: string, name?: string): string | undefined {
  if (name !== undefined) return NAMED.get(name);
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '';
}
