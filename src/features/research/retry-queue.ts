import { AppError } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import type { AppContext } from '#platform/context.ts';
import { onBehalfOf, type Principal } from '#platform/principal.ts';
import { replayQueued } from './events.ts';
import { captureRequest, claimQueued, isQueueEmpty, listQueued, releaseQueued, removeQueued } from './retry-queue-store.ts';
import { startResearch, type ResearchRequest } from './start-research.ts';

/** The limit of `POST /research`; replayed requests count towards it as well. */
export const START_LIMIT = { max: 10, windowSeconds: 60, bucket: 'research.start' } as const;

const FIRST_LOOK_SECONDS = 5;

/** Keeps a request that was over the limit, if it came with a session token and fewer than five wait. */
export async function queueResearch(ctx: Pick<AppContext, 'db' | 'queue' | 'clock'>, principal: Principal, request: ResearchRequest): Promise<void> {
  if (principal.credential.kind !== 'session') return;
  await ctx.db.transaction().execute(async (tx) => {
    const { first } = await captureRequest(tx, principal.userId, { id: newId(), ...request });
    if (first) await scheduleReplay(ctx, tx, principal.userId, FIRST_LOOK_SECONDS);
  });
}

/** Dispatches what waits, oldest first, as far as the limit allows; the rest when it allows again. */
export async function replayRequests(ctx: AppContext, userId: string): Promise<void> {
  // A request that another replay has taken up is its business; once nothing is left to take, this one is done.
  for (let taken = true; taken;) {
    taken = false;
    for (const item of await listQueued(ctx.db, userId)) {
      if (!(await claimQueued(ctx.db, item.id))) continue;
      taken = true;
      const hit = await ctx.limiter.hit(`${START_LIMIT.bucket} ${userId}`, START_LIMIT.max, START_LIMIT.windowSeconds);
      if (!hit.allowed) {
        await releaseQueued(ctx.db, item.id);
        return scheduleReplay(ctx, ctx.db, userId, hit.retryAfter);
      }
      await dispatch(ctx, userId, item);
      await removeQueued(ctx.db, item.id);
    }
    if (await ctx.db.transaction().execute((tx) => isQueueEmpty(tx, userId))) return;
  }
}

async function dispatch(ctx: AppContext, userId: string, { id, ...request }: ResearchRequest & { id: string }): Promise<void> {
  try {
    // The item's own id as key: dispatched twice because of a crash in between, it still starts one research.
    await startResearch(ctx, onBehalfOf(userId), request, { idempotency: { route: 'retry-queue', key: id } });
  } catch (error) {
    // Its project is gone, or the same research runs meanwhile: there is nothing left to start.
    if (!(error instanceof AppError)) throw error;
    ctx.log.info({ err: error, queued: id }, 'a queued request was dropped');
  }
}

const scheduleReplay = (
  { queue, clock }: Pick<AppContext, 'queue' | 'clock'>,
  tx: Parameters<AppContext['queue']['send']>[0],
  userId: string,
  seconds: number,
): Promise<void> => queue.send(tx, replayQueued, { userId }, { startAfter: new Date(clock.now().getTime() + seconds * 1000) });
