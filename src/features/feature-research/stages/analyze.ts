import type { KeepingRun, Stage, StageRun } from '#platform/runs/define-pipeline.ts';
import type { FeatureCase, GatherOutput, Scoped, ScopeOutput } from '../analyst.ts';
import { lockAnalysis, type Locked } from '../evidence-lock.ts';
import type { FeatureResearchRun } from '../feature-research-run.ts';
import type { FeatureAnalysis } from '../schema.ts';

type Before = { scope: ScopeOutput; gather: GatherOutput };
type Analyses = Locked<FeatureAnalysis>[];

/** Groups of features at once: a model that is asked for fifty features must not be asked everything in the same second. */
const AT_ONCE = 4;

/** As many features together as the analyst takes; each group is kept and told as it ends, so that an interruption costs only what was under way. */
export const analyze = {
  name: 'analyze',
  version: 2,
  // Each part was the analysis of one feature.
  upcasts: { 1: (output, part) => (part === null ? output : [output]) },
  run: async (run, { scope, gather }, stage) => {
    const groups = groupsOf(scope.features, run.analyst.together);
    const analyzed = await inTurns(groups, AT_ONCE, (group) =>
      analyzeGroup(
        run,
        group.map((feature) => caseOf(run, feature, gather)),
        stage,
      ),
    );
    return analyzed.flat();
  },
} as const satisfies Stage<FeatureResearchRun, Before, Analyses>;

const groupsOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

function analyzeGroup({ analyst }: FeatureResearchRun, cases: readonly FeatureCase[], stage: KeepingRun): Promise<Analyses> {
  return stage.part(cases.map(({ feature }) => feature.id).join(' '), async (part: StageRun) => {
    const analyses = await analyst.analyze(cases, part);
    // What was shown for one of them may bear on another.
    const shown = cases.flatMap(({ sources }) => sources);
    const output = analyses.map((analysis) => lockAnalysis(analysis, shown));
    return { output, events: output.map(({ value }) => ({ event: 'feature_analyzed', data: { feature_id: value.feature_id, analysis: value } })) };
  });
}

function caseOf({ job }: FeatureResearchRun, feature: Scoped, { sources, bearing }: GatherOutput): FeatureCase {
  const ids = new Set(Object.hasOwn(bearing, feature.id) ? bearing[feature.id] : []);
  return { idea: job.idea, feature, sources: sources.filter(({ id }) => ids.has(id)) };
}

/** Works items `size` at a time; once one has failed nothing new is begun, and its error is thrown when the others have ended. */
async function inTurns<T, R>(items: readonly T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const queue = [...items.entries()];
  const take = async (): Promise<void> => {
    for (let next = queue.shift(); next && failures.length === 0; next = queue.shift()) {
      const [place, item] = next;
      try {
        results[place] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: size }, take));
  if (failures.length > 0) throw failures[0];
  return results;
}
