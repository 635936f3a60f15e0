import { z } from 'zod';
import { analyticsAlias, deleteOldSessions, recordAlias } from '#features/auth';
import { abandonBrief, abandonRewrites, briefRewrite, briefRun, runBrief, runRewrites } from '#features/briefs';
import { abandonGraph, failExpansion, graphRun, nodeExpansion, runExpansion, runGraph } from '#features/build-graphs';
import { abandonFeatureResearch, featureResearchRun, runFeatureResearch } from '#features/feature-research';
import {
  abandonResearch,
  deleteExpired,
  listWaitingUsers,
  replayQueued,
  replayRequests,
  researchRun,
  runResearch,
  type KeyReader,
} from '#features/research';
import { recomputeSection, retrySectionRun } from '#features/pipeline-commands';
import type { AppContext } from '#platform/context.ts';
import { deleteOldWindows } from '#platform/http/limits.ts';
import { deleteOldKeys } from '#platform/idempotency/idempotency.ts';
import { defineJob, worked, type WorkedJob } from '#platform/jobs/define-job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const sweep = defineJob({ name: 'platform.sweep', payload: z.looseObject({}), cron: '17 * * * *' });

/** Every background job. @param ctx read when a job runs */
export const jobs = (ctx: () => AppContext, readKeys: KeyReader): readonly WorkedJob[] => [
  worked(
    researchRun,
    ({ jobId }, { signal }) => runResearch(ctx(), jobId, readKeys, signal),
    ({ jobId }, error) => abandonResearch(ctx(), jobId, error),
  ),
  worked(
    featureResearchRun,
    ({ id }, { signal }) => runFeatureResearch(ctx(), id, readKeys, signal),
    ({ id }, error) => abandonFeatureResearch(ctx(), id, error),
  ),
  worked(
    graphRun,
    ({ graphId }, { signal }) => runGraph(ctx(), graphId, readKeys, signal),
    ({ graphId }, error) => abandonGraph(ctx(), graphId, error),
  ),
  worked(
    nodeExpansion,
    ({ expansionId }, { signal }) => runExpansion(ctx(), expansionId, readKeys, signal),
    ({ expansionId, graphId }, error) => failExpansion(ctx(), graphId, expansionId, error),
  ),
  worked(
    briefRun,
    ({ briefId }, { signal }) => runBrief(ctx(), briefId, readKeys, signal),
    ({ briefId }, error) => abandonBrief(ctx(), briefId, error),
  ),
  worked(
    briefRewrite,
    ({ briefId }, { signal }) => runRewrites(ctx(), briefId, readKeys, signal),
    ({ briefId }, error) => abandonRewrites(ctx(), briefId, error),
  ),
  worked(retrySectionRun, (retry) => recomputeSection(ctx(), retry)),
  worked(replayQueued, ({ userId }) => replayRequests(ctx(), userId)),
  worked(analyticsAlias, (alias) => recordAlias(ctx(), alias)),
  worked(sweep, async () => {
    const { db, clock, log } = ctx();
    const sessions = await deleteOldSessions(db, new Date(clock.now().getTime() - DAY_MS));
    const keys = await deleteOldKeys(db);
    const windows = await deleteOldWindows(db);
    const queued = await deleteExpired(db);
    // A request whose owner changed, or whose replay was lost, is found again here.
    for (const userId of await listWaitingUsers(db)) await replayRequests(ctx(), userId);
    log.info({ sessions, keys, windows, queued }, 'swept what expired');
  }),
];
