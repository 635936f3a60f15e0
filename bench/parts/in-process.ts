import { loadConfig } from '#platform/config/config.ts';
import type { Database } from '#platform/db/database.ts';
import { openDatabase } from '#platform/db/open-database.ts';
import { openLog } from '#platform/observability/log.ts';
import { startService, type Service } from '../../src/app/service.ts';
import { scratchFolder } from './scratch-folder.ts';

export type InProcess = AsyncDisposable & Service & { url: string; database: Database };

/** The whole service in this process on a free port, for what has to be measured or written from within. */
export async function startInProcess(env: Record<string, string> = {}): Promise<InProcess> {
  const folder = scratchFolder();
  const config = loadConfig({ DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'error', ...env });
  const database = await openDatabase(config.database);
  const service = await startService(config, openLog('error'), { database });
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...service,
    url,
    database,
    [Symbol.asyncDispose]: async () => {
      await service.stop(0);
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}
