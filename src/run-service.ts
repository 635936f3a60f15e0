import type { Service } from './app/service.ts';
import { messageOf } from './lib/errors.ts';
import { ConfigError, loadConfig } from './platform/config/config.ts';
import { readEnv } from './platform/config/env.ts';
import { ensureCluster } from './platform/db/cluster.ts';
import { DataDirInUse, lockDataDir, type DataDirLock } from './platform/db/data-dir-lock.ts';
import { keepsFiles, openDataDir } from './platform/db/data-dir.ts';
import { openLog } from './platform/observability/log.ts';
import { startTracing } from './platform/observability/tracing.ts';

const WARM_UP_AFTER_MS = 200;

let lock: DataDirLock | undefined;
const config = await orExit(() => loadConfig(readEnv()));
const log = openLog(config.logLevel);
await orExit(async () => {
  const { database, dataDir } = config;
  if (keepsFiles(config) && openDataDir(dataDir)) log.info({ dataDir }, 'the data folder was open to other users and is private now');
  if (database.kind !== 'pglite') return;
  lock = await lockDataDir(dataDir, { waiting: (holder) => log.warn({ dataDir, holder }, 'waiting for the data folder') });
  void ensureCluster(database.dir);
});
const [{ startService }, { warmUp }] = await Promise.all([import('./app/service.ts'), import('./app/warm-up.ts')]);
const tracing = await startTracing(config.otlpEndpoint, config.version);
const service = await orExit(() => startService(config, log));
if (config.roles.has('api')) {
  const url = await service.server.listen(config.http).catch(async (error: unknown) => {
    // Another worker must not have to wait until the jobs taken up here count as lost.
    await service.stop(0).catch(() => {});
    return giveUp(error);
  });
  lock?.announce(url);
  log.info({ url, database: config.database.kind, roles: [...config.roles] }, 'Groundwork is up');
} else {
  log.info({ database: config.database.kind, roles: [...config.roles] }, 'Groundwork works in the background');
}
if (service.metricsServer) {
  const { host, port = 0 } = config.metrics;
  const refused = (error: unknown) => giveUp(new ConfigError(`METRICS_PORT ${port} on ${host} cannot be had (${messageOf(error)}).`));
  log.info({ url: await service.metricsServer.listen({ host, port }).catch(refused) }, 'metrics');
}
log.info(
  config.identity.kind === 'embedded'
    ? 'no identity provider is configured: the embedded one signs in; make a token with "groundwork token --user <id>"'
    : 'identity provider configured: the embedded one is off',
);
log.info({ models: config.models.map((model) => model.name), search: config.search.provider }, 'outside services');
stopOnSignal(service);
// Whoever waits for the service is answered first.
setTimeout(() => void warmUp(service.ctx), WARM_UP_AFTER_MS).unref();

async function orExit<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    return giveUp(error);
  }
}

/** Says in one sentence why there is no service; what is not foreseen keeps its trace. */
function giveUp(error: unknown): never {
  const foreseen = error instanceof ConfigError || typeof (error as NodeJS.ErrnoException).code === 'string' || error instanceof DataDirInUse;
  process.stderr.write(`Groundwork cannot start: ${foreseen ? messageOf(error) : error instanceof Error ? error.stack : String(error)}\n`);
  lock?.release();
  process.exit(1);
}

function stopOnSignal(running: Service): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    await running.stop();
    await tracing.stop();
    lock?.release();
    log.flush(() => process.exit(0));
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
}
