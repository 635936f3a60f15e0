import type { Stage } from '#platform/runs/define-pipeline.ts';
import { assembleArtifact, type Before } from '../assemble-artifact.ts';
import type { ResearchRun } from '../research-run.ts';
import { ResearchArtifact } from '../schema.ts';

const EMBEDDING_PATIENCE_MS = 10_000;

/** Puts the artifact together and holds it against its schema; the runner stores it with the run's end. */
export const persist = {
  name: 'persist',
  run: async (run, before, stage) => {
    const artifact = ResearchArtifact.parse(assembleArtifact(run, before));
    return { artifact, embedding: await vectorOf(run, artifact.idea.normalized_idea, stage.signal) };
  },
} as const satisfies Stage<ResearchRun, Before, { artifact: ResearchArtifact; embedding: number[] | null }>;

/** What makes the research findable as prior research; without it the research is whole all the same. */
async function vectorOf({ ctx }: ResearchRun, text: string, signal: AbortSignal): Promise<number[] | null> {
  try {
    const [vector] = await ctx.embeddings.embed([text], AbortSignal.any([signal, AbortSignal.timeout(EMBEDDING_PATIENCE_MS)]));
    return vector ?? null;
  } catch (error) {
    signal.throwIfAborted();
    ctx.log.warn({ err: error }, 'embeddings did not answer');
    return null;
  }
}
