import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const inter = (face: string): string => resolve(`@expo-google-fonts/inter/${face}/Inter_${face}.ttf`);
const dejavu = (face: string): string => resolve(`dejavu-fonts-ttf/ttf/DejaVuSans${face}.ttf`);

/** Families by name, as files of installed packages: one for text, one for the signs that it lacks. */
export const FONTS = {
  Inter: { normal: inter('400Regular'), bold: inter('600SemiBold'), italics: inter('400Regular_Italic'), bolditalics: inter('600SemiBold_Italic') },
  Signs: { normal: dejavu(''), bold: dejavu('-Bold'), italics: dejavu('-Oblique'), bolditalics: dejavu('-BoldOblique') },
} as const;

export const FONT_FILES: readonly string[] = Object.values(FONTS).flatMap((family) => Object.values(family));

// What Inter draws of Latin, Greek, Cyrillic, punctuation, currencies, arrows and a few signs.
const IN_INTER =
  /^[\t\n\r\u0020-\u007e\u00a0-\u00ac\u00ae-\u0148\u014a-\u01c3\u01c5-\u024f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03d7\u0400-\u0479\u048a-\u049d\u04a0-\u04ff\u1e00-\u1e9b\u1e9d-\u1eff\u2010-\u2027\u2030-\u2055\u20a0-\u20af\u20b1-\u20b6\u20b8-\u20ba\u20bc-\u20be\u2116\u2122\u2190-\u2199\u2212\u2248\u2260\u2264\u2265\u25c6\u25c7\u25cb\u25cf\u2605\u2606\u2713\u2717]$/u;

/** Stands where neither family has a sign: every script but those of DejaVu, and what lies beyond the basic plane. */
export const MISSING = '▯';
const DRAWN =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Lao}\p{Script=Common}\p{Script=Inherited}]$/u;
const FULL_WIDTH = /^[\u3000-\u33ff\ufe30-\ufe4f\uff00-\uffef]$/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const isDrawn = (sign: string): boolean => (sign.codePointAt(0) ?? 0) <= 0xffff && DRAWN.test(sign) && !FULL_WIDTH.test(sign);

/** A text in which each sign that cannot be drawn is one visible mark. */
export function drawnText(text: string): string {
  if ([...text].every(isDrawn)) return text;
  return Array.from(graphemes.segment(text), ({ segment }) => ([...segment].every(isDrawn) ? segment : MISSING)).join('');
}

const RIGHT_TO_LEFT = String.raw`[\p{Script=Hebrew}\p{Script=Arabic}][\p{Script=Hebrew}\p{Script=Arabic}\p{M}]*`;
const RUN_FROM_RIGHT = new RegExp(`${RIGHT_TO_LEFT}(?: +${RIGHT_TO_LEFT})+`, 'gu');
const ENDS_TURNED = new RegExp(`${RIGHT_TO_LEFT}$`, 'u');
/** Signs of a run that stay on one line: what is set word by word comes out in the wrong order. */
const TOGETHER = 28;

/**
 * A text whose runs from right to left are set as one word each, which the shaper turns as a whole. Longer ones are
 * broken into lines here, because a line that broke by itself would begin with the wrong end.
 */
export const turnedText = (text: string): string => text.replaceAll(RUN_FROM_RIGHT, (run) => inLines(run.split(/ +/)).join('\n'));

function inLines(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= TOGETHER) lines[lines.length - 1] = `${last}\u00a0${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Signs without a gap from which on a word gets places to break: measuring ever shorter heads of it takes a long time. */
const LONG_WORD = 80;
const BREAK_EVERY = 12;
const LONG = new RegExp(String.raw`[^\s\u200b]{${LONG_WORD},}`, 'gu');

/** A text whose long words may break anywhere, told by places of no width. */
export const breakableText = (text: string): string =>
  text.replaceAll(LONG, (word) => {
    const signs = Array.from(graphemes.segment(word), ({ segment }) => segment);
    return Array.from({ length: Math.ceil(signs.length / BREAK_EVERY) }, (_, at) =>
      signs.slice(at * BREAK_EVERY, (at + 1) * BREAK_EVERY).join(''),
    ).join('\u200b');
  });

/** A text in runs that one family can draw. */
export function fontRuns(text: string): { text: string; font: keyof typeof FONTS }[] {
  const runs: { text: string; font: keyof typeof FONTS }[] = [];
  for (const sign of turnedText(breakableText(drawnText(text)))) {
    const font = IN_INTER.test(sign) && !(sign === '\u00a0' && runs.at(-1)?.font === 'Signs') ? 'Inter' : 'Signs';
    const last = runs.at(-1);
    // A space behind a run from right to left would be turned with it, to its wrong side.
    if (last && (last.font === font || (sign === ' ' && !ENDS_TURNED.test(last.text)))) last.text += sign;
    else runs.push({ text: sign, font });
  }
  return runs;
}
