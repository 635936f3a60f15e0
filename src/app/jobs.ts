import { analyticsAlias, deliverAlias } from '#features/auth';
import { billingEvent, workEvent } from '#features/billing';
import { rewritingSections, writingBrief } from '#features/briefs';
import { clipDiscard, discardClips } from '#features/clips';
import { expanding, planning } from '#features/build-graphs';
import { researchingFeatures } from '#features/feature-research';
import { heldRelease, releaseHeld } from '#features/notifications';
import { deliverPush, failPush, pushDelivery, type PushFollowUp } from '#features/push';
import { replayQueued, replayRequests, researching } from '#features/research';
import { recomputeSection, retrySectionRun } from '#features/pipeline-commands';
import { forgetDeviceToken, giveBack, sendWaiting } from '#features/toasts';
import type { AppContext } from '#platform/context.ts';
import type { Run } from '#platform/runs/define-run.ts';
import { worked, type WorkedJob } from '#platform/jobs/define-job.ts';

/** Every kind of run. */
const runs: readonly Run<never>[] = [researching, researchingFeatures, planning, expanding, writingBrief, rewritingSections];

/** What becomes of what toasts keep of devices, and of a toast that no device took. */
const pushFollowUp = (ctx: AppContext): PushFollowUp => ({
  forget: (device) => forgetDeviceToken(ctx.db, device),
  giveBack,
  waitsAgain: async (userId) => void (await sendWaiting(ctx, userId)),
});

/** Every background job. @param ctx read when a job runs */
export const jobs = (ctx: () => AppContext): readonly WorkedJob[] => [
  ...runs.map((run) => run.job(ctx)),
  worked(retrySectionRun, (retry) => recomputeSection(ctx(), retry)),
  worked(replayQueued, ({ userId }) => replayRequests(ctx(), userId)),
  worked(clipDiscard, (what) => discardClips(ctx(), what)),
  worked(analyticsAlias, (alias, { signal }) => deliverAlias(ctx(), alias, signal)),
  worked(billingEvent, ({ eventId }, { signal }) => workEvent(ctx(), eventId, signal)),
  worked(
    pushDelivery,
    (push, { signal }) => deliverPush(ctx(), push, signal, pushFollowUp(ctx())),
    (push, error) => failPush(ctx(), push, error, pushFollowUp(ctx())),
  ),
  worked(heldRelease, (held) => releaseHeld(ctx(), held)),
];
