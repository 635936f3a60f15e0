import { join } from 'node:path';
import { authenticator, openIdentity, openSessions } from '#features/auth';
import { marketsNear } from '#features/catalogue';
import { findProfile, readModelKeys } from '#features/profile';
import { findSlugOwner } from '#features/notifications';
import { openVapidKeys } from '#features/push';
import { findSocketCaller } from '#features/toasts';
import { checkRedis } from '#platform/config/check-redis.ts';
import type { Config } from '#platform/config/config.ts';
import type { AppContext } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { openDatabase } from '#platform/db/open-database.ts';
import { reactionMetrics } from '#platform/domain-events/reaction-metrics.ts';
import { domainEvents, type Reaction } from '#platform/domain-events/domain-events.ts';
import { documentation } from '#platform/http/documentation.ts';
import { databaseLimiter, redisLimiter } from '#platform/http/limits.ts';
import { metricsRoute } from '#platform/http/metrics-route.ts';
import type { Family } from '#platform/http/declared.ts';
import { createServer, type Server } from '#platform/http/server.ts';
import { strikeRecord, takeOverStrikes } from '#platform/jobs/job-strikes.ts';
import type { WorkedJob } from '#platform/jobs/define-job.ts';
import { newId } from '#lib/ids.ts';
import { openQueue, type Enqueue } from '#platform/jobs/queue.ts';
import { watchJobs, type JobWatch } from '#platform/jobs/watch-jobs.ts';
import { startWorker, type Worker } from '#platform/jobs/worker.ts';
import { builtInEmbeddings } from '#platform/llm/built-in-embeddings.ts';
import { endpointEmbeddings } from '#platform/llm/endpoint-embeddings.ts';
import { modelCalls } from '#platform/llm/model-calls.ts';
import type { ModelDirectory } from '#platform/llm/models.ts';
import { openModels } from '#platform/llm/open-models.ts';
import { userModels } from '#platform/llm/user-models.ts';
import type { Logger } from '#platform/observability/log.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import { openAnalytics } from '#platform/ports/analytics/open-analytics.ts';
import { openBlobs } from '#platform/ports/blobs/open-blobs.ts';
import { openContentStore } from '#platform/ports/content-store/open-content-store.ts';
import { openBillingProvider } from '#platform/ports/billing-provider/open-billing-provider.ts';
import { openGuardedFetch } from '#platform/ports/guarded-fetch/built-in.ts';
import { openPageReader } from '#platform/ports/page-reader/open-page-reader.ts';
import { openTextMessages } from '#platform/ports/text-messages/open-text-messages.ts';
import { openPush } from '#platform/ports/push-gateway/open-push.ts';
import { openPrinter } from '#platform/rendering/pdf/open-printer.ts';
import { secretBox } from '#platform/secret-box.ts';
import { givenKeys, keyFile } from '#platform/secret-keys.ts';
import { openSearch } from '#platform/ports/web-search/open-search.ts';
import { openHub } from '#platform/realtime/hub.ts';
import { openPresence } from '#platform/realtime/presence.ts';
import { openRelay } from '#platform/realtime/relay.ts';
import { keepTicking, openSchedules, type ScheduledWork } from '#platform/schedules/schedules.ts';
import { databaseCarrier, redisCarrier } from '#platform/streams/carriers.ts';
import { eventLog } from '#platform/streams/event-log.ts';
import { openWakeups } from '#platform/streams/wakeups.ts';
import { extensions, families } from './families.ts';
import { jobs } from './jobs.ts';
import { openAllMetrics } from './metrics.ts';
import { reactions } from './reactions.ts';
import { putSchedules, scheduledWork } from './schedules.ts';

export type Service = {
  ctx: AppContext;
  server: Server;
  /** Shows the metrics alone, where they have a port of their own. */
  metricsServer: Server | null;
  families: readonly Family[];
  /** Stops accepting, ends streams, gives running jobs back, closes everything. */
  stop(graceMs?: number): Promise<void>;
};

/** Parts that a test or a benchmark brings itself. */
export type Overrides = Partial<
  Pick<AppContext, 'embeddings' | 'search' | 'pages' | 'texts' | 'printer' | 'clock' | 'secrets' | 'analytics' | 'blobs' | 'content' | 'push'>
> & {
  database?: Database;
  models?: ModelDirectory;
  /** Work in the background besides that of the features. */
  work?: (ctx: () => AppContext) => { jobs?: readonly WorkedJob[]; reactions?: readonly Reaction[]; schedules?: readonly ScheduledWork[] };
  /** Routes beside the product's own. */
  families?: readonly Family[];
};

const GRACE_MS = 10_000;

/** The composition root: configuration in, a service out whose roles have started. It does not listen yet. */
export async function startService(config: Config, log: Logger, overrides: Overrides = {}): Promise<Service> {
  const metrics = openAllMetrics({ defaults: config.roles.has('api') });
  const database = overrides.database ?? (await openDatabase(config.database));
  await migrate(database);
  const dependencies = connectDependencies(config, log, metrics, overrides);
  if (config.redisUrl) await checkRedis(config.redisUrl);
  const streams = eventLog(database.kysely);
  const wakeups = await openWakeups(config.redisUrl ? await redisCarrier(config.redisUrl, database) : databaseCarrier(database), log);
  const redisLimits = config.redisUrl ? await redisLimiter(config.redisUrl) : undefined;
  const queue = openQueue(database, log);
  const hub = openHub({ metrics, log });
  const node = { db: database.kysely, wakeups, hub, log, nodeId: newId() };
  const presence = openPresence(node);
  const relay = openRelay({ ...node, presence });

  const calls = modelCalls(database.kysely);
  const directory = overrides.models ?? openModels(config.models, { timeoutSeconds: config.modelTimeoutSeconds, metrics, log });
  const keysOf = (userId: string) => readModelKeys(database.kysely, dependencies.secrets, userId);
  const current = (): AppContext => ctx;
  const more = overrides.work?.(current) ?? {};
  const reacting = domainEvents(
    () => ({ db: database.kysely, queue, gaveUp: (event, reaction) => reactionMetrics(metrics).givenUp.inc({ event, reaction }) }),
    [...reactions(current), ...(more.reactions ?? [])],
  );
  const { schedules, job: scheduleRun, tick } = openSchedules(current, [...scheduledWork(current), ...(more.schedules ?? [])]);
  const everyJob = [...jobs(current), ...(more.jobs ?? []), ...reacting.jobs, scheduleRun];
  const ctx: AppContext = {
    config,
    log,
    metrics,
    database,
    db: database.kysely,
    streams,
    wakeups,
    hub,
    presence,
    relay,
    queue: { send: queue.send, sendAll: queue.sendAll } satisfies Enqueue,
    events: reacting.events,
    schedules,
    limiter: redisLimits ?? databaseLimiter(database.kysely),
    models: userModels({ directory, keysOf, calls, log }),
    modelCalls: calls,
    blobs: overrides.blobs ?? openBlobs({ config, ...dependencies }),
    content: overrides.content ?? openContentStore({ config, db: database.kysely }),
    texts: overrides.texts ?? openTextMessages({ config, db: database.kysely, secrets: dependencies.secrets }),
    billing: openBillingProvider(config.billing, {
      db: database.kysely,
      isCustomer: async (userId) => (await findProfile(database.kysely, userId)) !== null,
    }),
    push: overrides.push ?? openPushes(config, database, dependencies.secrets, { metrics, log }),
    ...dependencies,
  };
  await queue.start(everyJob.map(({ job }) => job));

  const sessions = openSessions(ctx);
  const identity = await openIdentity(config.identity, config.database.kind === 'memory' ? null : join(config.dataDir, 'identity-key.json'));
  const list = families({
    sessions,
    limits: config,
    findSocketCaller: (token) => findSocketCaller(ctx, token),
    toastPublishSecret: config.toastPublishSecret,
    findSlugOwner: (slug) => findSlugOwner(database.kysely, slug),
  });
  list.push(...(overrides.families ?? []));
  const auth = authenticator(sessions, identity, () => ctx.clock.now());
  const server = createServer(ctx, auth, [...list, ...extensions(reacting, config)], (scope) => {
    documentation(scope, list, config);
    // What identity clients read; not part of the product's interface.
    const { publicKeys } = identity;
    if (publicKeys) scope.get('/.well-known/jwks.json', async (_request, reply) => reply.send(publicKeys));
    if (config.metrics.port === undefined) metricsRoute(scope, metrics, config.metrics.token);
  });
  const metricsServer =
    config.metrics.port === undefined ? null : createServer(ctx, auth, [], (scope) => metricsRoute(scope, metrics, config.metrics.token));
  const works = config.roles.has('worker');
  // A database that a test brings along goes with it, and no process after it.
  const watch = works && !overrides.database ? await openWatch(config, database, log) : undefined;
  const worker: Worker | undefined = works
    ? startWorker({ database, queue, wakeups, log, metrics, watch }, everyJob, config.workerConcurrency)
    : undefined;

  let stopTicking: (() => Promise<void>) | undefined;
  if (config.roles.has('scheduler')) {
    await putSchedules(ctx, schedules);
    stopTicking = keepTicking(ctx, tick);
  }

  return {
    ctx,
    server,
    metricsServer,
    families: list,
    stop: async (graceMs = GRACE_MS) => {
      // A server waits for its sockets.
      hub.close();
      await server.close();
      await metricsServer?.close();
      await stopTicking?.();
      await worker?.stop(graceMs);
      await watch?.close();
      await queue.stop();
      await relay.close();
      await presence.close();
      await wakeups.close();
      redisLimits?.close();
      if (!overrides.push) await ctx.push.close();
      if (!overrides.printer) await ctx.printer.close();
      if (!overrides.pages) await ctx.pages.close();
      if (!overrides.database) await database.close();
    },
  };
}

/** Watches the jobs, after what the process before noticed is known. */
async function openWatch({ database: kind, dataDir }: Config, database: Database, log: Logger): Promise<JobWatch | undefined> {
  const record = strikeRecord(kind, join(dataDir, 'struck-jobs.json'));
  if (!record) return undefined;
  const struck = await takeOverStrikes(database, record);
  if (struck.length > 0) log.warn({ jobIds: struck }, 'the process before went down while these jobs kept it from answering');
  return watchJobs(record, log);
}

/** Pushes go out on connections of their own, so that no page that is slow holds them up. */
function openPushes(config: Config, { kysely: db }: Database, secrets: AppContext['secrets'], shown: { metrics: Metrics; log: Logger }) {
  const fetch = openGuardedFetch({ ...config.fetch, connections: { perHost: 12, overall: 48 } });
  return openPush(config.push, { ...shown, fetch, keys: openVapidKeys({ db, secrets }, config.push.vapidKey) });
}

function connectDependencies(
  config: Config,
  log: Logger,
  metrics: Metrics,
  overrides: Overrides,
): Pick<AppContext, 'embeddings' | 'search' | 'fetch' | 'pages' | 'printer' | 'secrets' | 'analytics' | 'clock'> {
  const { embeddings, secrets } = config;
  const fetch = openGuardedFetch(config.fetch);
  return {
    embeddings:
      overrides.embeddings ??
      (embeddings.kind === 'built_in' ? builtInEmbeddings({ topicsOf: marketsNear }) : endpointEmbeddings({ ...embeddings, dimensions: 512 })),
    search: 'search' in overrides ? overrides.search : openSearch(config.search, metrics),
    fetch,
    pages: overrides.pages ?? openPageReader({ fetch, metrics, log }),
    printer: overrides.printer ?? openPrinter(),
    secrets: overrides.secrets ?? secretBox(secrets ? givenKeys(secrets.current, secrets.before) : keyFile(join(config.dataDir, 'secrets-key'))),
    analytics: overrides.analytics ?? openAnalytics(config),
    clock: overrides.clock ?? { now: () => new Date() },
  };
}
