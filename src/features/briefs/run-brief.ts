import { choiceOf, engineOf, forOthers, readArtifact } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { defineRun, type Engine } from '#platform/runs/define-run.ts';
import { RunFailure, type RunError } from '#lib/run-failure.ts';
import type { NewEvent } from '#platform/streams/event-log.ts';
import { scoreOf } from './brief-sections.ts';
import { completeBrief, failBrief, findBrief, lockBrief, settleEngine, touching, type BriefRow } from './brief-store.ts';
import { BriefFailed, BriefReady, briefRewrite, briefRun, briefStream } from './events.ts';
import { modelWriter } from './model-writer/model-writer.ts';
import type { BriefRun } from './brief-run.ts';
import { briefPipeline, rewritePipeline } from './pipeline.ts';
import { ruleWriter } from './rule-writer/rule-writer.ts';
import { lockFor } from './section-lock.ts';
import { keepFirstTexts, noteFailure, pendingRewrites, readSections, settleRewrite } from './section-store.ts';
import { FIRST_REVISION } from './states.ts';

const common = {
  streamOf: ({ briefId }: { briefId: string }) => briefStream(briefId),
  userOf: (brief: BriefRow) => brief.user_id,
  open,
  entering: ({ id }: BriefRow) => touching(id),
  // This stream tells of sections and of nothing else.
  announce: (): NewEvent[] => [],
};

/** A new brief, from its first section to its last. */
export const writingBrief = defineRun({
  ...common,
  name: 'brief',
  noun: 'brief',
  job: briefRun,
  find: async (db, { briefId }) => {
    const brief = await findBrief(db, briefId);
    return brief?.status === 'generating' ? brief : null;
  },
  engine: {
    of: ({ engine }) => (engine ? choiceOf(engine) : undefined),
    settle: async (db, { id }, choice, replace) => choiceOf(await settleEngine(db, id, engineOf(choice), replace)),
  },
  pipeline: briefPipeline,
  complete: (ctx, tx, { id }, { warnings }) => complete(ctx, tx, id, warnings),
  fail: (ctx, tx, { id }, error) => fail(ctx, tx, id, error),
});

/** Sections of a brief that were asked for anew; they are written by what is configured when their turn comes. */
export const rewritingSections = defineRun({
  ...common,
  name: 'brief-rewrite',
  noun: 'rewriting of sections',
  job: briefRewrite,
  find: async (db, { briefId }) => {
    const brief = await findBrief(db, briefId);
    return brief && (await pendingRewrites(db, briefId)).length > 0 ? brief : null;
  },
  keyOf: ({ briefId }) => `${briefStream(briefId)}/rewrites`,
  pipeline: rewritePipeline,
  complete: async (_ctx, tx, { id }) => {
    await lockBrief(tx, id);
    return (await pendingRewrites(tx, id)).length > 0 ? null : [];
  },
  fail: async (_ctx, tx, { id }, error) => {
    await lockBrief(tx, id);
    for (const { revision, section } of await pendingRewrites(tx, id)) {
      await noteFailure(tx, id, section, error);
      await settleRewrite(tx, id, revision);
    }
  },
});

/** @throws RunFailure when the research is gone that the brief is written from */
async function open(ctx: AppContext, brief: BriefRow, { model }: Engine): Promise<BriefRun> {
  const { research_id: researchId } = brief;
  const known = researchId ? await readArtifact(ctx.db, researchId) : null;
  if (!researchId || !known) throw researchGone();
  // Whoever has a brief's token may read it, so it is written from what may leave its owner.
  const artifact = forOthers(known);
  const lock = lockFor(artifact);
  return { ctx, log: ctx.log, brief, researchId, artifact, writer: model ? modelWriter(model, lock) : ruleWriter(), lock };
}

const researchGone = () => new RunFailure({ code: 'RESEARCH_GONE', message: 'The research of this brief no longer exists.', retryable: false });

async function complete(ctx: AppContext, tx: Tx, briefId: string, warnings: readonly string[]): Promise<NewEvent[]> {
  const row = await completeBrief(tx, briefId, scoreOf(await readSections(tx, briefId)), warnings);
  if (!row) return [];
  await keepFirstTexts(tx, briefId, FIRST_REVISION);
  const { title, quality_score: qualityScore, revision } = row;
  await ctx.events.publish(tx, BriefReady, { ...ownerOf(row), title, qualityScore });
  return [{ event: 'brief_ready', data: { brief_id: briefId, title, quality_score: qualityScore, revision } }];
}

async function fail(ctx: AppContext, tx: Tx, briefId: string, error: RunError): Promise<void> {
  const row = await failBrief(tx, briefId, error);
  if (row) await ctx.events.publish(tx, BriefFailed, { ...ownerOf(row), ...error });
}

const ownerOf = (row: BriefRow) => ({ briefId: row.id, userId: row.user_id, projectId: row.project_id, researchId: row.research_id });
