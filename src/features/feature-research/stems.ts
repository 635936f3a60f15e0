import { significantTerms, stem, tokenize } from '#features/catalogue';

const LINKS = new Set('a an the of for to and or with my your their'.split(' '));

/** English stems of a text, each once, without words that only hold it together. Cheap: for pages and for the catalogue's own lines. */
export const plainStems = (text: string): string[] => [
  ...new Set(
    tokenize(text)
      .map(({ word }) => word)
      .filter((word) => !LINKS.has(word))
      .map(stem),
  ),
];

/** The same for what a person wrote, in any language and with typing mistakes; dearer. */
export const readStems = (text: string): string[] => [...new Set([...significantTerms(text), ...plainStems(text)])];

/** Share of the wanted stems that a text has, 0 to 1; 0 when nothing is wanted. */
export function shareSaid(wanted: readonly string[], text: string): number {
  const said = new Set(plainStems(text));
  return wanted.length > 0 ? wanted.filter((term) => said.has(term)).length / wanted.length : 0;
}
