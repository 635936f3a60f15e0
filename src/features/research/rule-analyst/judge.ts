import { marketTerms, stemsOf, termsOf } from '#features/catalogue';
import type { Finding, Interpretation, Judgement } from '../analyst.ts';

const FAR_BEHIND = 0.2;
const NEAR = 2;

/** Keeps what bears on the idea: facts of its markets, and texts that speak of it. */
export function judgeFindings(about: Interpretation, findings: readonly Finding[]): Judgement {
  const best = Math.max(0, ...findings.map(({ facts }) => (facts?.kind === 'company' ? facts.relevance : 0)));
  const own = new Set(termsOf(about.normalizedIdea));
  const market = new Set(about.categoryIds.flatMap((id) => [...(marketTerms(id)?.core ?? [])]));
  const relevant: string[] = [];
  const notes: Judgement['notes'] = [];
  for (const finding of findings) {
    const reason = whyNot(finding, about, best, own, market);
    if (reason) notes.push({ id: finding.id, reason });
    else relevant.push(finding.id);
  }
  return { relevant, notes };
}

function whyNot(finding: Finding, about: Interpretation, best: number, own: ReadonlySet<string>, market: ReadonlySet<string>): string {
  const { facts } = finding;
  if (facts?.kind === 'company' || facts?.kind === 'feature') {
    if (facts.kind === 'feature' && about.categoryIds.length > 0 && !about.categoryIds.includes(facts.categoryId))
      return `Belongs to ${facts.categoryId}, which the idea does not touch.`;
    if (facts.kind === 'company' && facts.categoryId !== about.categoryIds[0] && facts.relevance < FAR_BEHIND * best)
      return 'Far behind the others in bearing on the idea.';
    return '';
  }
  const stems = new Set(stemsOf(`${finding.title} ${finding.snippet} ${finding.text}`));
  const shared = [...own].filter((term) => stems.has(term)).length;
  const ofMarket = [...market].filter((term) => stems.has(term)).length;
  // A text of another language shares no stems with the idea's English ones; what a search gave for it is kept.
  if (about.language !== 'en' && facts === null) return '';
  return shared >= NEAR || (shared >= 1 && ofMarket >= NEAR) || own.size < NEAR
    ? ''
    : `Shares ${shared === 0 ? 'no' : 'one'} telling word with the idea.`;
}
