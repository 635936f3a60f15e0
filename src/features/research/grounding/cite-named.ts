import type { Analysis, Finding, Synthesis } from '../analyst.ts';

const LETTER = /[\p{L}\p{N}]/u;

/** Adds to what a synthesis cites the evidence of every product that its statements name, so that each name can be followed. */
export function citeNamed(synthesis: Synthesis, { incumbents, emerging }: Analysis, findings: readonly Finding[]): Synthesis {
  const companies = findings.flatMap(({ id, facts }) => (facts?.kind === 'company' ? [[facts.name, id] as const] : []));
  const rivals = [...incumbents, ...emerging].flatMap(({ name, evidence_ids: ids }) => ids.slice(0, 1).map((id) => [name, id] as const));
  const names = [...new Map([...companies, ...rivals])];
  const citing = <T extends { evidence_ids: string[] }>(statement: T, ...texts: string[]): T => {
    const named = names.filter(([name]) => texts.some((text) => namesWhole(text, name))).map(([, id]) => id);
    return { ...statement, evidence_ids: [...new Set([...statement.evidence_ids, ...named])] };
  };
  const { recommendation, whitespaces, evidenceAgainst, nextSteps, phase1, phase2 } = synthesis;
  return {
    ...synthesis,
    recommendation: {
      ...recommendation,
      reasons_for: recommendation.reasons_for.map((reason) => citing(reason, reason.text)),
      reasons_against: recommendation.reasons_against.map((reason) => citing(reason, reason.text)),
      parts: recommendation.parts.map((part) => citing(part, part.explanation)),
    },
    whitespaces: whitespaces.map((gap) => citing(gap, gap.title, gap.description)),
    evidenceAgainst: evidenceAgainst.map((statement) => citing(statement, statement.text)),
    nextSteps: nextSteps.map((step) => citing(step, step.title, step.how, step.success_signal)),
    phase1: phase1.map((item) => citing(item, item.reason)),
    phase2: phase2.map((item) => citing(item, item.reason)),
  };
}

/** Whether a name stands in a text as it is written, and not inside another word. */
function namesWhole(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + name.length))) return true;
  }
  return false;
}
