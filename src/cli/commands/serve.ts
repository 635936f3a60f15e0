import { createServer } from 'node:net';
import { loadConfig } from '#platform/config/config.ts';
import { runningService } from '#platform/db/data-dir-lock.ts';
import { CommandError, noPositionals, parseOptions, type Command } from '../command.ts';
import { onSignals } from '../forwarded-signals.ts';

const HELP = `Runs the service until it is stopped (Ctrl-C), the same as "npm start".

Usage: groundwork serve

The environment configures it: PORT (8080), HOST (127.0.0.1), DATA_DIR (./data), DATABASE_URL and more.
`;

export const serve: Command = {
  summary: 'runs the service',
  help: HELP,
  run: async (args, { env }) => {
    noPositionals('serve', parseOptions('serve', args, {}).positionals);
    const { http, dataDir, roles } = loadConfig(env);
    const running = runningService(dataDir);
    if (running) throw new CommandError(`A service already runs on ${dataDir}, at ${running}.`);
    if (roles.has('api')) await checkFree(http);
    let starting = true;
    // The service takes signals once it is up; until then they end it at once.
    onSignals(['SIGINT', 'SIGTERM'], (signal) => starting && process.exit(signal === 'SIGINT' ? 130 : 143));
    await import('../../run-service.ts');
    starting = false;
    return 0;
  },
};

/** Asked before a database is opened for nothing. @throws CommandError */
async function checkFree({ host, port }: { host: string; port: number }): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen({ host, port }, resolve);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'it is in use' : code === 'EACCES' ? 'this user may not use it' : message;
    throw new CommandError(`The service cannot listen on ${host}:${port}: ${reason}; PORT names another one.`, { cause: error });
  } finally {
    probe.close();
  }
}
