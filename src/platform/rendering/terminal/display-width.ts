const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// East Asian wide and full-width ranges of Unicode's EastAsianWidth.txt, by block.
const WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]/u;
const EMOJI = /^\p{Emoji_Presentation}|^\p{Extended_Pictographic}\uFE0F/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const widthOf = (grapheme: string): number => {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1;
};

/** Columns that a text without terminal sequences takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment);
  return width;
}

/** Cut to `columns`, with an ellipsis when something was cut. */
export function fitColumns(text: string, columns: number): string {
  return displayWidth(text) <= columns ? text : `${takeColumns(text, Math.max(0, columns - 1)).trimEnd()}…`;
}

/** Filled up with spaces to `columns`. */
export const padColumns = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - displayWidth(text)));

/** Lines of at most `columns`, broken at spaces; a word that is longer than a line is broken where the line ends. */
export function wrapColumns(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = brokenWord(word, columns);
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1) ?? '';
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

/** A word in parts of at most `columns`; a character wider than that is a part of its own, since a line must hold something. */
function brokenWord(word: string, columns: number): string[] {
  const parts: string[] = [];
  let part = '';
  let width = 0;
  for (const { segment } of graphemes.segment(word)) {
    const more = widthOf(segment);
    if (width + more > columns && part !== '') {
      parts.push(part);
      part = '';
      width = 0;
    }
    part += segment;
    width += more;
  }
  return [...parts, part];
}

function takeColumns(text: string, columns: number): string {
  let taken = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    // A first character wider than the line is taken all the same: a line must hold something.
    if (width > columns && taken !== '') break;
    taken += segment;
    if (width >= columns) break;
  }
  return taken;
}
