import type { Config } from '../config/config.ts';
import type { Database } from './database.ts';

/** Opens the configured database; the driver that is not used is never loaded. */
export async function openDatabase(config: Config['database']): Promise<Database> {
  if (config.kind === 'postgres') {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(config);
  }
  const { openPglite } = await import('./pglite.ts');
  if (config.kind === 'memory') return openPglite();
  return openPglite({ dir: config.dir });
}
