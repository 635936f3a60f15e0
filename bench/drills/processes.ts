import { randomBytes } from 'node:crypto';
import { messageOf } from '#lib/errors.ts';
import { freePort, startProcess, type StartedProcess } from '../parts/started-process.ts';
import { scratchFolder } from '../parts/scratch-folder.ts';

export type Cluster = { apis: [StartedProcess, StartedProcess]; workers: [StartedProcess, StartedProcess] };

/**
 * Two processes that answer and two that work, on one database; the second worker also keeps time.
 * All are started at once, as a deployment does, and each finds an empty database. One that ends is started again.
 * @param failed told why a process did not come up the first time
 */
export async function startCluster(
  kept: AsyncDisposableStack,
  databaseUrl: string,
  outside: Record<string, string>,
  failed: (why: string) => void,
): Promise<Cluster> {
  const folder = kept.use(scratchFolder());
  const shared = { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: '6', SECRETS_KEY: randomBytes(32).toString('hex'), ...outside };
  const one = async (roles: string): Promise<StartedProcess> => {
    const setting = { dataDir: folder.path, port: await freePort(), env: { ...shared, ROLES: roles } };
    const started = startProcess(setting).catch((error: unknown) => {
      failed(messageOf(error));
      return startProcess(setting);
    });
    return kept.use(await started);
  };
  const [first, second, worker, timekeeper] = await Promise.all([one('api'), one('api'), one('worker'), one('worker,scheduler')]);
  return { apis: [first, second], workers: [worker, timekeeper] };
}
