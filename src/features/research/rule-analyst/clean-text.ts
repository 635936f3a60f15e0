import { collapseSpaces } from '#lib/text.ts';

/** The sentences of a text as they stand there, without bullets and signs that say nothing. */
export function sentencesOf(text: string): string[] {
  const lines = text
    .normalize('NFC')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/(?:[\p{Extended_Pictographic}*_#`~^|<>]|\u{FE0F}|\u{200D})+/gu, ' ')
    .split(/\n+/)
    .map((line) => collapseSpaces(line.replace(/^\s*(?:[-–•+·]|\d{1,2}[.)]|[a-z]\))\s+/i, '')))
    .filter((line) => /\p{L}/u.test(line));
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?;])\s+(?=\P{Ll})|(?<=[!?;。！？])\s*|(?<=\p{L}{3}\.)\s+/u));
  return [...new Set(sentences.map((sentence) => sentence.replaceAll(/^[\s,;:.–-]+|[\s,;:.!–-]+$/gu, '')).filter((sentence) => sentence.length > 1))];
}

/** A name of the catalogue as it can stand inside a sentence. */
export function inline(name: string): string {
  const flat = name.replace(/[\s,;:.!?…]+$/u, '');
  return /^(?:\p{Lu}[\p{Lu}\d/]|\p{Lu}\p{Ll}*\p{Lu})/u.test(flat) ? flat : flat.charAt(0).toLowerCase() + flat.slice(1);
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const quoted = (text: string): string => `“${text.replaceAll(/[“”"]/g, '')}”`;
