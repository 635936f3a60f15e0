import { significantTerms } from '#features/catalogue';
import { sha256 } from '#lib/ids.ts';
import { normaliseText } from '#lib/text.ts';

/** The same for ideas that say the same with the words in another order, case, punctuation or inflection. */
export function semanticKey(idea: string): string {
  const terms = [...new Set(significantTerms(idea))].sort();
  return sha256(terms.length > 0 ? terms.join(' ') : normaliseText(idea));
}
