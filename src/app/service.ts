import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { authenticator, openIdentity, openSessions } from '#features/auth';
import { marketsNear } from '#features/catalogue';
import { readModelKeys } from '#features/profile';
import type { KeyReader } from '#features/research';
import type { Config } from '#platform/config/config.ts';
import type { AppContext } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { openDatabase } from '#platform/db/open-database.ts';
import { domainEvents } from '#platform/domain-events/domain-events.ts';
import { documentation } from '#platform/http/documentation.ts';
import { databaseLimiter, redisLimiter } from '#platform/http/limits.ts';
import type { Family } from '#platform/http/registry.ts';
import { createServer, type Server } from '#platform/http/server.ts';
import { openQueue, type Enqueue } from '#platform/jobs/queue.ts';
import { startWorker, type Worker } from '#platform/jobs/worker.ts';
import { builtInEmbeddings } from '#platform/llm/built-in-embeddings.ts';
import { endpointEmbeddings } from '#platform/llm/endpoint-embeddings.ts';
import { openModels } from '#platform/llm/open-models.ts';
import type { Logger } from '#platform/observability/log.ts';
import { openMetrics, type Metrics } from '#platform/observability/metrics.ts';
import { openPageReader } from '#platform/ports/pages/open-page-reader.ts';
import { openPrinter } from '#platform/ports/pdf/open-printer.ts';
import { secretBox, secretsKey } from '#platform/ports/secret-box.ts';
import { openSearch } from '#platform/ports/search/open-search.ts';
import { databaseCarrier, redisCarrier } from '#platform/streams/carriers.ts';
import { eventLog } from '#platform/streams/event-log.ts';
import { openWakeups } from '#platform/streams/wakeups.ts';
import { extensions, families } from './families.ts';
import { jobs } from './jobs.ts';
import { reactions } from './reactions.ts';

export type Service = {
  ctx: AppContext;
  server: Server;
  families: readonly Family[];
  /** Stops accepting, ends streams, gives running jobs back, closes everything. */
  stop(graceMs?: number): Promise<void>;
};

/** Parts that a test or a benchmark brings itself. */
export type Overrides = Partial<Pick<AppContext, 'models' | 'embeddings' | 'search' | 'pages' | 'printer' | 'clock' | 'secrets'>> & {
  database?: Database;
};

const GRACE_MS = 10_000;

/** The composition root: configuration in, a service out whose roles have started. It does not listen yet. */
export async function startService(config: Config, log: Logger, overrides: Overrides = {}): Promise<Service> {
  const metrics = openMetrics({ defaults: config.roles.has('api') });
  const database = overrides.database ?? (await openDatabase(config.database));
  await migrate(database);
  const outside = connectOutside(config, log, metrics, overrides);
  const streams = eventLog(database.kysely);
  const wakeups = await openWakeups(config.redisUrl ? await redisCarrier(config.redisUrl, database) : databaseCarrier(database), log);
  const redisLimits = config.redisUrl ? await redisLimiter(config.redisUrl) : undefined;
  const queue = openQueue(database, config, log);

  const readKeys: KeyReader = (userId) => readModelKeys(database.kysely, outside.secrets, userId);
  const current = (): AppContext => ctx;
  const { events, jobs: reactionJobs } = domainEvents(queue, reactions(current));
  const everyJob = [...jobs(current, readKeys), ...reactionJobs];
  const ctx: AppContext = {
    config,
    log,
    metrics,
    database,
    db: database.kysely,
    streams,
    wakeups,
    queue: { send: queue.send } satisfies Enqueue,
    events,
    limiter: redisLimits ?? databaseLimiter(database.kysely),
    ...outside,
  };
  await queue.start(everyJob.map(({ job }) => job));

  const sessions = openSessions(ctx);
  const identity = await openIdentity(config.identity, config.database.kind === 'memory' ? null : join(config.dataDir, 'identity-key.json'));
  const list = families({ sessions, readKeys, limitProjectResearch: config.limitProjectResearch });
  const auth = authenticator(sessions, identity, () => ctx.clock.now());
  const server = createServer(ctx, auth, [...list, ...extensions], (scope) => {
    documentation(scope, list, config);
    machineRoom(scope, metrics, identity.publicKeys);
  });
  const worker: Worker | undefined = config.roles.has('worker')
    ? startWorker({ queue, wakeups, log, metrics }, everyJob, config.workerConcurrency)
    : undefined;

  return {
    ctx,
    server,
    families: list,
    stop: async (graceMs = GRACE_MS) => {
      await server.close();
      await worker?.stop(graceMs);
      await queue.stop();
      await wakeups.close();
      redisLimits?.close();
      if (!overrides.printer) await ctx.printer.close();
      if (!overrides.database) await database.close();
    },
  };
}

function connectOutside(
  config: Config,
  log: Logger,
  metrics: Metrics,
  overrides: Overrides,
): Pick<AppContext, 'models' | 'embeddings' | 'search' | 'pages' | 'printer' | 'secrets' | 'clock'> {
  const { embeddings } = config;
  return {
    models: overrides.models ?? openModels(config.models, { timeoutSeconds: config.modelTimeoutSeconds, metrics, log }),
    embeddings:
      overrides.embeddings ??
      (embeddings.kind === 'built_in' ? builtInEmbeddings({ topicsOf: marketsNear }) : endpointEmbeddings({ ...embeddings, dimensions: 512 })),
    search: 'search' in overrides ? overrides.search : openSearch(config.search, metrics),
    pages: overrides.pages ?? openPageReader({ ...config.fetch, metrics, log }),
    printer: overrides.printer ?? openPrinter(),
    secrets: overrides.secrets ?? secretBox(secretsKey(config.secretsKey, join(config.dataDir, 'secrets-key'))),
    clock: overrides.clock ?? { now: () => new Date() },
  };
}

/** What operators and identity clients read; not part of the product's interface. */
function machineRoom(server: FastifyInstance, metrics: Metrics, publicKeys: object | null): void {
  server.get('/metrics', async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()));
  if (publicKeys) server.get('/.well-known/jwks.json', async (_request, reply) => reply.send(publicKeys));
}
