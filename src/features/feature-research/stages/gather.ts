import { messageOf } from '#lib/errors.ts';
import { count } from '#lib/text.ts';
import type { Stage } from '#platform/runs/define-pipeline.ts';
import type { EvidenceSource, GatherOutput, ScopeOutput } from '../analyst.ts';
import type { FeatureResearchRun } from '../feature-research-run.ts';
import { lookUpCatalogue } from '../sources/catalogue.ts';
import { lookUpKnowledge } from '../sources/knowledge.ts';
import { lookUpResearch } from '../sources/research.ts';
import type { Found, Source } from '../sources/source.ts';
import { searchWeb } from '../sources/web.ts';

// The research goes before the catalogue: where both know a company, the research's own evidence is cited.
const SOURCES: readonly Source[] = [lookUpKnowledge, lookUpResearch, lookUpCatalogue, searchWeb];

/** Looks everywhere at once; a source that fails is a warning. */
export const gather = {
  name: 'gather',
  run: async (run, { scope }, stage) => {
    const asked = SOURCES.filter((source) => !source.off?.(run));
    const answers = await Promise.all(asked.map((source) => ask(source, run, scope, stage.signal)));
    const warnings = answers.flatMap(({ warning }) => warning ?? []);
    for (const warning of warnings) await stage.progress(warning);
    if (!run.ctx.search) warnings.push('No web search is configured: nothing was looked up on the web today.');
    const found = answers.flatMap((answer) => answer.found);
    const sources = new Map<string, EvidenceSource>();
    for (const source of found.flatMap((entry) => entry.sources)) if (!sources.has(source.id)) sources.set(source.id, source);
    await stage.progress(`Gathered ${count(sources.size, 'source')} on ${count(scope.features.length, 'feature')}.`);
    const bearing = Object.fromEntries(scope.features.map(({ id }) => [id, idsFor(id, found)]));
    return { sources: [...sources.values()], bearing, warnings };
  },
} as const satisfies Stage<FeatureResearchRun, { scope: ScopeOutput }, GatherOutput>;

const idsFor = (featureId: string, found: readonly Found[]): string[] => [
  ...new Set(found.filter((entry) => entry.featureId === featureId).flatMap(({ sources }) => sources.map(({ id }) => id))),
];

async function ask(
  source: Source,
  run: FeatureResearchRun,
  scope: ScopeOutput,
  signal: AbortSignal,
): Promise<{ found: Found[]; warning: string | null }> {
  try {
    return await source.search(run, scope, AbortSignal.any([signal, AbortSignal.timeout(source.seconds * 1000)]));
  } catch (error) {
    signal.throwIfAborted();
    run.ctx.log.warn({ err: error, source: source.name }, 'a source failed');
    const why =
      error instanceof Error && error.name === 'TimeoutError' ? `no answer within ${source.seconds} s` : messageOf(error).replace(/[\s.]+$/, '');
    return { found: [], warning: `The source "${source.name}" failed: ${why}.` };
  }
}
