import type { KeepingRun, Stage } from '#platform/runs/define-pipeline.ts';
import { saveSection, scoreOf } from '../brief-sections.ts';
import { lockBrief, updateScore } from '../brief-store.ts';
import { briefChannel } from '../events.ts';
import type { BriefRun } from '../brief-run.ts';
import { countRewrites, keepText, noteFailure, pendingRewrites, readSections, settleRewrite, type Rewrite } from '../section-store.ts';
import { writeSections } from '../write-sections.ts';

/** Writes what was asked for anew, one after the other in the order of the revisions; more may be asked for meanwhile. */
export const rewrite = {
  name: 'rewrite',
  run: async (run, _before, stage) => {
    let written = 0;
    for (
      let pending = await pendingRewrites(run.ctx.db, run.brief.id);
      pending.length > 0;
      pending = await pendingRewrites(run.ctx.db, run.brief.id)
    ) {
      for (const next of pending) await rewriteOne(run, next, stage);
      written += pending.length;
    }
    return { written };
  },
} as const satisfies Stage<BriefRun, unknown, { written: number }>;

async function rewriteOne(run: BriefRun, next: Rewrite, stage: KeepingRun): Promise<void> {
  const { brief, artifact, researchId, ctx } = run;
  const { section, revision } = next;
  const take = await countRewrites(ctx.db, brief.id, next);
  const [outcome] = await writeSections(run, [section], { artifact, audience: brief.audience, template: brief.template, take }, stage);
  if (!outcome) return;
  await stage.keep(async (tx) => {
    await lockBrief(tx, brief.id);
    const before = (await readSections(tx, brief.id)).find((row) => row.section_type === section);
    await settleRewrite(tx, brief.id, revision);
    if (outcome.status === 'failed' && before?.content) {
      await noteFailure(tx, brief.id, section, outcome.error);
      return [{ event: 'section_progress', data: { section, content: before.content, revision, error: outcome.error } }];
    }
    await saveSection(tx, { briefId: brief.id, researchId, section, revision }, outcome);
    if (outcome.status === 'failed') return [{ event: 'section_progress', data: { section, content: null, revision, error: outcome.error } }];
    await keepText(tx, brief.id, next, outcome.content);
    await updateScore(tx, brief.id, scoreOf(await readSections(tx, brief.id)));
    const update = { brief_id: brief.id, revision, cause: 'regenerated', section_type: section };
    await ctx.streams.append(tx, briefChannel(brief.id), [{ event: 'revision_updated', data: update }]);
    return [{ event: 'section_progress', data: { section, content: outcome.content, revision } }];
  });
}
