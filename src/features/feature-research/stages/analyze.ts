import type { KeepingRun, Stage, StageRun } from '#platform/runs/define-pipeline.ts';
import type { FeatureCase, GatherOutput, Scoped, ScopeOutput } from '../analyst.ts';
import { lockAnalysis, type Locked } from '../evidence-lock.ts';
import type { FeatureResearchRun } from '../feature-research-run.ts';
import type { FeatureAnalysis } from '../schema.ts';

type Before = { scope: ScopeOutput; gather: GatherOutput };

/** Features at once: a model that is asked for fifty features must not be asked fifty times in the same second. */
const AT_ONCE = 4;

/** Every feature by itself, side by side; each one is kept and told as it ends, so that an interruption costs only what was under way. */
export const analyze = {
  name: 'analyze',
  run: (run, { scope, gather }, stage) => inTurns(scope.features, AT_ONCE, (feature) => analyzeOne(run, caseOf(run, feature, gather), stage)),
} as const satisfies Stage<FeatureResearchRun, Before, Locked<FeatureAnalysis>[]>;

function analyzeOne({ analyst }: FeatureResearchRun, about: FeatureCase, stage: KeepingRun): Promise<Locked<FeatureAnalysis>> {
  return stage.part(about.feature.id, async (part: StageRun) => {
    const locked = lockAnalysis(await analyst.analyze(about, part), about.sources);
    return { output: locked, events: [{ event: 'feature_analyzed', data: { feature_id: about.feature.id, analysis: locked.value } }] };
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
