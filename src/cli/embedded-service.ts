import { messageOf } from '#lib/errors.ts';
import { ConfigError, type Config } from '#platform/config/config.ts';
import { withoutStop } from '#platform/config/why-unreachable.ts';
import { ensureCluster, hasCluster } from '#platform/db/cluster.ts';
import { DataDirInUse, lockDataDir, type DataDirLock } from '#platform/db/data-dir-lock.ts';
import { keepsFiles, openDataDir } from '#platform/db/data-dir.ts';
import { openLog } from '#platform/observability/log.ts';
import type { startService } from '../app/service.ts';
import { CommandError } from './command.ts';

export type EmbeddedService = {
  url: string;
  /** Gives running jobs back after `graceMs`, closes the database and frees the data folder. */
  stop(graceMs?: number): Promise<void>;
};

/**
 * The whole service inside this process, on a free port of this machine, without a log.
 * @param waiting told who has the data folder, when it is not to be had at once
 * @throws CommandError when the data folder is in use or the service cannot start
 */
export async function startEmbedded(config: Config, waiting: (holder: string) => void): Promise<EmbeddedService> {
  if (keepsFiles(config)) openDataDir(config.dataDir);
  const lock = config.database.kind === 'pglite' ? await claim(config.dataDir, waiting) : undefined;
  // Also when the process is made to end at once.
  process.once('exit', () => lock?.release());
  const quiet: Config = {
    ...config,
    logLevel: 'silent',
    roles: new Set(['api', 'worker', 'scheduler']),
    http: { ...config.http, host: '127.0.0.1', port: 0 },
    otlpEndpoint: undefined,
  };
  try {
    const { startService: start } = await loadService(config.database);
    const service = await start(quiet, openLog('silent'));
    const url = await service.server.listen(quiet.http).catch(async (error: unknown) => {
      await service.stop(0);
      throw error;
    });
    const stop = async (graceMs?: number) => {
      await service.stop(graceMs);
      lock?.release();
    };
    return { url, stop };
  } catch (error) {
    lock?.release();
    if (error instanceof ConfigError) throw error;
    throw new CommandError(`The service could not start: ${withoutStop(messageOf(error))}.`, { cause: error });
  }
}

/** Where there is no database yet its files are made meanwhile, and the catalogue worked out that a first research needs. */
async function loadService(database: Config['database']): Promise<{ startService: typeof startService }> {
  const isFirst = database.kind === 'pglite' && !hasCluster(database.dir);
  if (isFirst) void ensureCluster(database.dir);
  const service = await import('../app/service.ts');
  if (isFirst) (await import('#features/catalogue')).openCatalogue();
  return service;
}

async function claim(dataDir: string, waiting: (holder: string) => void): Promise<DataDirLock> {
  try {
    return await lockDataDir(dataDir, { waiting });
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    const hint = 'wait until that one has ended, or keep "groundwork serve" running, which every command then uses';
    throw new CommandError(`${error.message}: ${hint}.`, { cause: error });
  }
}
