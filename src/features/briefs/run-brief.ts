import { messageOf } from '#lib/errors.ts';
import { chooseEngine, modelOf, readArtifact, type KeyReader } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import { ModelError } from '#platform/llm/models.ts';
import { isUnreachable, type Tx } from '#platform/db/database.ts';
import { runPipeline, type RunRecord } from '#platform/pipelines/run-pipeline.ts';
import type { NewEvent } from '#platform/streams/event-log.ts';
import { scoreOf } from './brief-sections.ts';
import { completeBrief, failBrief, findBrief, lockBrief, settleEngine, touching, type BriefRow } from './brief-store.ts';
import { BriefFailed, BriefReady, briefStream } from './events.ts';
import { modelWriter } from './model-writer/model-writer.ts';
import { briefPipeline, rewritePipeline, type BriefRun } from './pipeline.ts';
import { ruleWriter } from './rule-writer/rule-writer.ts';
import { lockFor, type SectionLock } from './section-lock.ts';
import { fillSnapshots, noteFailure, pendingRewrites, readSections, settleRewrite } from './section-store.ts';
import { BriefFailure, errorOf, researchGone } from './write-section.ts';
import type { BriefWriter } from './writer.ts';

/** Writes a new brief to its end, from wherever an earlier worker left it. */
export async function runBrief(ctx: AppContext, briefId: string, readKeys: KeyReader, signal: AbortSignal): Promise<void> {
  const brief = await findBrief(ctx.db, briefId);
  if (brief?.status !== 'generating') return;
  const run = await runOf(ctx, brief, readKeys);
  if (!run) return abandonBrief(ctx, briefId, new BriefFailure(researchGone()));
  const record = recordOf(run, { complete: (tx) => complete(ctx, tx, brief.id), fail: (tx, error) => fail(ctx, tx, brief.id, error) });
  await runPipeline(ctx, briefPipeline, record, signal);
}

/** Writes anew what was asked for; the stream ends when nothing more is asked for. */
export async function runRewrites(ctx: AppContext, briefId: string, readKeys: KeyReader, signal: AbortSignal): Promise<void> {
  const brief = await findBrief(ctx.db, briefId);
  if (!brief || (await pendingRewrites(ctx.db, briefId)).length === 0) return;
  const run = await runOf(ctx, brief, readKeys);
  if (!run) return abandonRewrites(ctx, briefId, new BriefFailure(researchGone()));
  const record = recordOf(run, { complete: async () => [], fail: (tx, error) => failRewrites(tx, briefId, error) });
  const endsStream = async (tx: Tx): Promise<boolean> => {
    await lockBrief(tx, briefId);
    return (await pendingRewrites(tx, briefId)).length === 0;
  };
  await runPipeline(ctx, rewritePipeline, { ...record, endsStream }, signal);
}

/** Ends a brief that its workers gave up on, so that nobody waits for it. */
export async function abandonBrief(ctx: AppContext, briefId: string, error: unknown): Promise<void> {
  const brief = await findBrief(ctx.db, briefId);
  if (brief?.status !== 'generating') return;
  await ctx.db.transaction().execute(async (tx) => {
    const events = await fail(ctx, tx, briefId, error);
    await ctx.streams.append(tx, briefStream(briefId), [...events, { event: 'done', data: {} }], { close: true });
  });
}

/** The same for sections that were to be written anew: they keep their earlier text. */
export async function abandonRewrites(ctx: AppContext, briefId: string, error: unknown): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const brief = await lockBrief(tx, briefId);
    if (!brief || (await pendingRewrites(tx, briefId)).length === 0) return;
    const events = await failRewrites(tx, briefId, error);
    await ctx.streams.append(tx, briefStream(briefId), [...events, { event: 'done', data: {} }], { close: true });
  });
}

/** What a run works with; null when its research is gone. */
async function runOf(ctx: AppContext, brief: BriefRow, readKeys: KeyReader): Promise<BriefRun | null> {
  const { research_id: researchId } = brief;
  const artifact = researchId ? await readArtifact(ctx.db, researchId) : null;
  if (!researchId || !artifact) return null;
  const lock = lockFor(artifact);
  return { ctx, log: ctx.log, brief, researchId, artifact, writer: await writerOf(ctx, brief, readKeys, lock), lock };
}

/** The writer a brief began with; sections that are asked for later are written by what is configured then. */
async function writerOf(ctx: AppContext, brief: BriefRow, readKeys: KeyReader, lock: SectionLock): Promise<BriefWriter> {
  const present = await chooseEngine(ctx, brief.user_id, readKeys);
  const engine = brief.status === 'generating' ? (brief.engine ?? (await settleEngine(ctx.db, brief.id, present))) : present;
  try {
    const model = await modelOf(ctx, engine, brief.user_id, readKeys);
    return model ? modelWriter(model, lock) : ruleWriter();
  } catch (error) {
    if (isUnreachable(error)) throw error;
    // The model it began with is gone: each section says so, and can be asked for anew.
    const gone = new ModelError('refused', messageOf(error));
    return { engine, write: () => Promise.reject(gone) };
  }
}

type Ends = { complete(tx: Tx): Promise<NewEvent[]>; fail(tx: Tx, error: unknown): Promise<NewEvent[]> };

const recordOf = (run: BriefRun, { complete: completed, fail: failed }: Ends): RunRecord<BriefRun, never> => ({
  key: briefStream(run.brief.id),
  input: run,
  entering: () => touching(run.brief.id),
  complete: (tx) => completed(tx),
  fail: (tx, error) => failed(tx, error),
  isTransient: isUnreachable,
  // This stream tells of sections and of nothing else.
  announce: () => [],
});

async function complete(ctx: AppContext, tx: Tx, briefId: string): Promise<NewEvent[]> {
  const row = await completeBrief(tx, briefId, scoreOf(await readSections(tx, briefId)));
  if (!row) return [];
  await fillSnapshots(tx, briefId);
  const { title, quality_score: qualityScore, revision } = row;
  await ctx.events.publish(tx, BriefReady, { ...ownerOf(row), title, qualityScore });
  return [{ event: 'brief_ready', data: { brief_id: briefId, title, quality_score: qualityScore, revision } }];
}

async function fail(ctx: AppContext, tx: Tx, briefId: string, thrown: unknown): Promise<NewEvent[]> {
  const error = errorOf(thrown, 'the brief');
  const row = await failBrief(tx, briefId, error);
  if (row) await ctx.events.publish(tx, BriefFailed, { ...ownerOf(row), ...error });
  return [{ event: 'error', data: error }];
}

async function failRewrites(tx: Tx, briefId: string, thrown: unknown): Promise<NewEvent[]> {
  const error = errorOf(thrown, 'a section anew');
  for (const { revision, section } of await pendingRewrites(tx, briefId)) {
    await noteFailure(tx, briefId, section, error);
    await settleRewrite(tx, briefId, revision);
  }
  return [{ event: 'error', data: error }];
}

const ownerOf = (row: BriefRow) => ({ briefId: row.id, userId: row.user_id, projectId: row.project_id, researchId: row.research_id });
