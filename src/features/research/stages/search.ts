import { setImmediate as nextTurn } from 'node:timers/promises';
import { listOf } from '#lib/text.ts';
import type { Stage } from '#platform/pipelines/define-pipeline.ts';
import type { Finding, Gathered, Interpretation } from '../analyst.ts';
import type { ResearchRun } from '../pipeline.ts';
import type { SourceReport } from '../schema.ts';
import { searchCatalogue } from '../sources/catalogue.ts';
import { searchPrior } from '../sources/prior-research.ts';
import { searchWeb } from '../sources/web.ts';
import { emptyOutput } from '../run-failure.ts';

/** One place to look. `off` says why it is not asked at all. */
export type Source = {
  name: SourceReport['source'];
  /** Seconds it may take; what it found by then is lost, and a warning says so. */
  seconds: number;
  /** It keeps the processor busy, so it begins once the requests of the others are on their way. */
  computes?: boolean;
  off?(run: ResearchRun): boolean;
  search(run: ResearchRun, about: Interpretation, signal: AbortSignal): Promise<{ findings: Finding[]; found: number; warning: string | null }>;
};

const SOURCES: readonly Source[] = [searchCatalogue, searchPrior, searchWeb];

/** Looks everywhere at once; a source that fails is a warning, and only all of them failing ends the run. */
export const search = {
  name: 'search',
  run: async (run, { interpret }, stage) => {
    const answers = await Promise.all(SOURCES.map((source) => ask(source, run, interpret, stage.signal)));
    const sources = answers.map((answer) => answer.report);
    const asked = sources.filter((report) => report.status !== 'off');
    if (asked.every((report) => report.status === 'failed')) {
      throw emptyOutput(`Every source failed: ${listOf(asked.map((report) => report.warning ?? report.source))}`);
    }
    for (const { warning } of sources) if (warning) await stage.progress(warning);
    return { findings: withoutRepeats(answers.flatMap((answer) => answer.findings)), sources };
  },
} as const satisfies Stage<ResearchRun, { interpret: Interpretation }, Gathered>;

async function ask(
  source: Source,
  run: ResearchRun,
  about: Interpretation,
  signal: AbortSignal,
): Promise<{ findings: Finding[]; report: SourceReport }> {
  const started = Date.now();
  const report = (status: SourceReport['status'], found: number, kept: number, warning: string | null): SourceReport => ({
    source: source.name,
    status,
    found,
    kept,
    ms: Date.now() - started,
    warning,
  });
  if (source.off?.(run)) return { findings: [], report: report('off', 0, 0, null) };
  try {
    if (source.computes) await nextTurn();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(source.seconds * 1000)]);
    const { findings, found, warning } = await source.search(run, about, limit);
    return { findings, report: report(findings.length > 0 ? 'ok' : 'empty', found, findings.length, warning) };
  } catch (error) {
    signal.throwIfAborted();
    run.ctx.log.warn({ err: error, source: source.name }, 'a source failed');
    const why = error instanceof Error && error.name === 'TimeoutError' ? `no answer within ${source.seconds} s` : reasonOf(error);
    return { findings: [], report: report('failed', 0, 0, `The source "${source.name}" failed: ${why}.`) };
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.replace(/[\s.]+$/, '') : 'unknown reason');

/** One finding per address: the first place that had it keeps it. */
function withoutRepeats(findings: Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const key = finding.url ?? finding.id;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
