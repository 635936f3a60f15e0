const LENGTH = 2_000_000;
const filled = (piece: string, length = LENGTH): string => piece.repeat(Math.ceil(length / piece.length));

/** Pages that are made to keep a parser busy, or to fill its memory; by what is in them. */
export const HOSTILE_PAGES: ReadonlyMap<string, string> = new Map([
  ['5 MB of <div>', filled('<div>', 5_000_000)],
  ['a million attributes', `<div ${Array.from({ length: 1_000_000 }, (_, n) => `a${n}=1`).join(' ')}>end</div>`],
  ['nested 100,000 deep', `${'<div>'.repeat(100_000)}end${'</div>'.repeat(100_000)}`],
  ['nested blocks of a hundred', filled(`${'<div>'.repeat(100)}hello, world${'</div>'.repeat(100)}`)],
  ['tables in tables', filled('<table><tr><td>')],
  ['paragraphs in lists', filled('<ul><li><p>hello, world')],
  [
    'an entity bomb',
    `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(50)}">${Array.from({ length: 30 }, (_, n) => `<!ENTITY a${n} "${`&a${n - 1};`.repeat(10)}">`).join('')}]><p>&a29;</p>${filled('&a29;')}`,
  ],
  ['references', filled('&amp;')],
  ['references that never end', filled('&a')],
  ['an unclosed comment', `<p>before</p><!--${filled(' - -- ')}`],
  ['comments that never end', filled('<!--')],
  ['unclosed scripts', filled('<script>')],
  ['ends of scripts that never end', `<script>${filled('</script ')}`],
  ['elements that are never closed', filled('<svg><select>')],
  ['quotes that never end', filled('<a b="')],
  ['signs', filled('<')],
  ['spaces', filled(' ')],
  ['spaces within tags', filled(`<p${' '.repeat(5000)}`)],
  ['one huge attribute', `<div class="${filled('x ')}">end</div>`],
  ['styles', filled('<p style="a:b;;;;;display  :  none">x</p>')],
  ['links', filled('<a href="/x">link text</a> ')],
  ['lines and bars', filled('<tr><td> | | <br>')],
  ['commas', filled('<p>a,b,c,d,e,f,g,h,i,j,k</p>')],
  ['a charset of spaces', `<meta ${'charset'.repeat(200)}${filled(' ')}`],
  ['a deep JSON-LD', `<script type="application/ld+json">${'['.repeat(150_000)}${']'.repeat(150_000)}</script>`],
  ['a JSON-LD of dates', `<script type="application/ld+json">[${filled('{"datePublished":"x"},', 190_000)}1]</script><p>text</p>`],
]);
