import type { Stage } from '#platform/runs/define-pipeline.ts';
import type { BlueprintCase, GatherOutput, ScopeOutput } from '../analyst.ts';
import { assembleBlueprint } from '../blueprint/assemble-blueprint.ts';
import { groundworkOf } from '../blueprint/groundwork.ts';
import { lockCounsel, type Locked } from '../evidence-lock.ts';
import type { FeatureResearchRun } from '../feature-research-run.ts';
import { Findings, type FeatureAnalysis } from '../schema.ts';
import { scoreFindings } from '../scoring.ts';

type Before = { scope: ScopeOutput; gather: GatherOutput; analyze: Locked<FeatureAnalysis>[] };

/** The blueprint and the quality of it all, held against the schema; the runner stores it with the run's end. */
export const synthesize = {
  name: 'synthesize',
  run: async ({ job, analyst, warnings: ofRun }, { scope, gather, analyze }, stage) => {
    const analyses = analyze.map(({ value }) => value);
    const { features } = scope;
    const { sources } = gather;
    const groundwork = groundworkOf(features, analyses, sources);
    const about: BlueprintCase = { idea: job.idea, features, analyses, sources, groundwork };
    const counsel = lockCounsel(
      await analyst.counsel(about, stage),
      sources,
      features.map(({ id }) => id),
      groundwork.parts.map(({ id }) => id),
    );
    const unsupported = counsel.unsupported + analyze.reduce((sum, entry) => sum + entry.unsupported, 0);
    const warnings = [...ofRun, ...scope.warnings, ...gather.warnings, ...standIns(analyst.kind, analyses)];
    return Findings.parse({
      idea: job.idea,
      scope: { features },
      analyses,
      blueprint: assembleBlueprint(about, counsel.value),
      sources,
      quality: scoreFindings({ features, analyses, sources, unsupported }),
      warnings,
    });
  },
} as const satisfies Stage<FeatureResearchRun, Before, Findings>;

function standIns(kind: 'rule' | 'model', analyses: readonly FeatureAnalysis[]): string[] {
  const names = kind === 'model' ? analyses.filter(({ analyst }) => analyst === 'rule').map(({ feature_name: name }) => name) : [];
  return names.length > 0 ? [`The language model did not answer for: ${names.join('; ')}. The rules analysed these instead.`] : [];
}
