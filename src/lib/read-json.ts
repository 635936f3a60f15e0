import { malformed } from './errors.ts';

/** Levels of arrays and objects that a JSON text from outside may have; whatever walks or stores it need not bear more. */
export const DEEPEST_JSON = 64;

/**
 * Reads JSON from outside: the one door for whatever goes on to a database or to code that recurses.
 * @throws AppError `malformed` when it is nested too deep, before anything is built; SyntaxError when it is no JSON
 */
export function readJson(text: string): unknown {
  if (isDeeperThan(DEEPEST_JSON, text)) throw malformed(`JSON nested deeper than ${DEEPEST_JSON} levels is not accepted`);
  return JSON.parse(text);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One pass over the text: counts brackets outside strings, and stops at the first that is too deep. */
function isDeeperThan(most: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // `[` and `{`, `]` and `}` differ in one bit.
    const bracket = code | 0x20;
    if (code === QUOTE) at = endOfString(text, at);
    else if (bracket === 0x7b) {
      depth += 1;
      if (depth > most) return true;
    } else if (bracket === 0x7d) depth -= 1;
  }
  return false;
}

/** Where the string that begins at `start` ends; the end of the text when it never does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
