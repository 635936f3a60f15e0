import { openLibrary, type LibraryMatch } from '#features/feature-research';
import { tokenize } from '#features/catalogue';
import { openPatterns, type Pattern } from './patterns.ts';

let library: ReturnType<typeof openLibrary<Pattern>> | undefined;

/** Patterns that a feature asks for by what its name and description mean, best first; empty when the library has none. */
export function matchPatterns(name: string, description: string): LibraryMatch<Pattern>[] {
  library ??= openLibrary(
    [...openPatterns().values()].map((pattern) => ({ value: pattern, name: pattern.name, summary: pattern.summary, terms: pattern.terms })),
  );
  return library({ name, description });
}

/** Patterns that an idea makes necessary whatever its features are, by whom it names, with the word that does. */
export function mentionedPatterns(idea: string): { pattern: Pattern; word: string }[] {
  const said = ` ${tokenize(idea)
    .map(({ word }) => word)
    .join(' ')} `;
  return [...openPatterns().values()].flatMap((pattern) => {
    const word = pattern.mentioned.find((text) => said.includes(` ${text} `));
    return word ? [{ pattern, word }] : [];
  });
}
