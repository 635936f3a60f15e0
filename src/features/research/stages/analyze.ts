import type { Stage } from '#platform/runs/define-pipeline.ts';
import { certaintyIn, type Analysis, type Analyst, type Gathered, type Interpretation, type Judgement } from '../analyst.ts';
import { lockAnalysis, type Locked } from '../evidence-lock.ts';
import type { ResearchRun } from '../research-run.ts';
import { emptyOutput, modelEmpty } from '../failures.ts';

type Before = { interpret: Interpretation; search: Gathered; judge: Judgement };

/**
 * Who is in the market and what they do, as far as the evidence tells; asked once more, strictly, after an answer that names
 * nobody and does not say why. Where nothing was found, what the idea itself asks for is all there is.
 */
export const analyze = {
  name: 'analyze',
  run: async ({ analyst, job }, before, stage) => {
    const findings = relevantFindings(before);
    if (findings.length === 0) return alone(analyst, before, job.idea);
    let locked: Locked<Analysis> | undefined;
    for (const strict of [false, true]) {
      if (strict) await stage.emit({ event: 'retry', data: { attempt: 1, source: 'analyze' } });
      const next = lockAnalysis(await analyst.analyze(before.interpret, findings, stage, { strict }), findings, job.idea);
      const caught: number = locked?.fabricated ?? 0;
      locked = { ...next, fabricated: next.fabricated + caught };
      // Who knows no market says nothing of it, and that is an answer.
      if (!isEmpty(locked.value) || certaintyIn(before.interpret) !== 'sure') return locked;
    }
    throw modelEmpty(findings.length);
  },
} as const satisfies Stage<ResearchRun, Before, Locked<Analysis>>;

function alone(analyst: Analyst, { interpret, search }: Before, idea: string): Locked<Analysis> {
  const own = analyst.analyzeAlone?.(interpret);
  const locked = own && lockAnalysis(own, [], idea);
  if (!locked || isEmpty(locked.value)) throw emptyOutput(whyNothing(search));
  return locked;
}

export const relevantFindings = ({ search, judge }: Pick<Before, 'search' | 'judge'>) => {
  const relevant = new Set(judge.relevant);
  return search.findings.filter((finding) => relevant.has(finding.id));
};

const isEmpty = ({ incumbents, emerging, features, noneBecause }: Analysis): boolean =>
  incumbents.length + emerging.length + features.length === 0 && !noneBecause;

function whyNothing({ sources, findings }: Gathered): string {
  if (findings.length > 0) return 'Nothing of what was gathered bears on it.';
  return sources
    .map(({ source, status, warning }) => {
      if (warning) return warning;
      if (status === 'off') return source === 'web' ? 'No web search is configured.' : `${source} is off.`;
      return source === 'catalogue' ? 'The built-in catalogue does not know this market.' : '';
    })
    .filter(Boolean)
    .join(' ');
}
