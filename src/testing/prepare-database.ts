import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '#platform/db/migrate.ts';
import { openPglite } from '#platform/db/pglite.ts';
import { openLog } from '#platform/observability/log.ts';
import { openQueue } from '#platform/jobs/queue.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A file with the data of a migrated embedded database; each test file starts from it in memory. */
    databaseSnapshot: string;
  }
}

/** Makes one migrated database for the whole run, so that no test file pays for its own. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'groundwork-test-'));
  const file = join(folder, 'snapshot.tar');
  const database = await openPglite();
  await migrate(database);
  const queue = openQueue(database, openLog('silent'));
  await queue.start([]);
  await queue.stop();
  writeFileSync(file, Buffer.from(await (await database.dump()).arrayBuffer()));
  await database.close();
  project.provide('databaseSnapshot', file);
  return () => rmSync(folder, { recursive: true, force: true });
}
