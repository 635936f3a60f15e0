import { setImmediate as nextTurn } from 'node:timers/promises';
import { listOf } from '#lib/text.ts';
import type { Stage } from '#platform/runs/define-pipeline.ts';
import type { Finding, Gathered, Interpretation } from '../analyst.ts';
import { catalogueFor } from '../candidate-markets.ts';
import type { EarlierResearch } from '../earlier-research.ts';
import type { ResearchRun } from '../research-run.ts';
import type { FromMemory, SourceReport } from '../schema.ts';
import { searchPrior } from '../sources/prior-research.ts';
import type { Source } from '../sources/source.ts';
import { searchWeb } from '../sources/web.ts';
import { emptyOutput } from '../failures.ts';

const sourcesFor = (about: Interpretation): Source[] => [catalogueFor(about), searchPrior, searchWeb];

/** Looks everywhere at once; a source that fails is a warning, and only all of them failing ends the run. */
export const search = {
  name: 'search',
  run: async (run, { interpret }, stage) => {
    const answers = await Promise.all(sourcesFor(interpret).map((source) => ask(source, run, interpret, stage.signal)));
    const sources = answers.map((answer) => answer.report);
    const asked = sources.filter((report) => report.status !== 'off');
    if (asked.every((report) => report.status === 'failed')) {
      throw emptyOutput(`Every source failed: ${listOf(asked.map((report) => report.warning ?? report.source))}`);
    }
    for (const { warning } of sources) if (warning) await stage.progress(warning);
    const earlier = answers.flatMap((answer) => answer.earlier);
    const fromMemory = answers.flatMap((answer) => answer.fromMemory);
    return { findings: withoutRepeats(answers.flatMap((answer) => answer.findings)), earlier, sources, fromMemory };
  },
} as const satisfies Stage<ResearchRun, { interpret: Interpretation }, Gathered>;

async function ask(
  source: Source,
  run: ResearchRun,
  about: Interpretation,
  signal: AbortSignal,
): Promise<{ findings: Finding[]; earlier: EarlierResearch[]; fromMemory: FromMemory[]; report: SourceReport }> {
  const started = Date.now();
  const report = (status: SourceReport['status'], found: number, kept: number, warning: string | null): SourceReport => ({
    source: source.name,
    status,
    found,
    kept,
    ms: Date.now() - started,
    warning,
  });
  if (source.off?.(run, about)) return { findings: [], earlier: [], fromMemory: [], report: report('off', 0, 0, null) };
  try {
    if (source.computes) await nextTurn();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(source.seconds * 1000)]);
    const { findings, earlier = [], fromMemory = [], found, warning } = await source.search(run, about, limit);
    const kept = findings.length + earlier.length;
    return { findings, earlier, fromMemory, report: report(kept > 0 ? 'ok' : 'empty', found, kept, warning) };
  } catch (error) {
    signal.throwIfAborted();
    run.ctx.log.warn({ err: error, source: source.name }, 'a source failed');
    const why = error instanceof Error && error.name === 'TimeoutError' ? `no answer within ${source.seconds} s` : reasonOf(error);
    return { findings: [], earlier: [], fromMemory: [], report: report('failed', 0, 0, `The source "${source.name}" failed: ${why}.`) };
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
