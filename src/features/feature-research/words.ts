/** A sentence's beginning inside another sentence; an abbreviation stays as it is. */
export const lowerFirst = (text: string): string => (/^\p{Lu}[\p{Lu}\d]/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1));

/** One full stop at the end, whatever there was. */
export const sentence = (text: string): string => `${text.replace(/[\s.]+$/, '')}.`;
