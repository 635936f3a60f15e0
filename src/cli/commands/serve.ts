import { noPositionals, parseOptions, type Command } from '../command.ts';
import { onSignals } from '../forwarded-signals.ts';

const HELP = `Runs the service until it is stopped (Ctrl-C), the same as "npm start".

Usage: groundwork serve

The environment configures it: PORT (8080), HOST (127.0.0.1), DATA_DIR (./data), DATABASE_URL and more.
`;

export const serve: Command = {
  summary: 'runs the service',
  help: HELP,
  run: async (args) => {
    noPositionals('serve', parseOptions('serve', args, {}).positionals);
    let starting = true;
    // The service takes signals once it is up; until then they end it at once.
    onSignals(['SIGINT', 'SIGTERM'], (signal) => starting && process.exit(signal === 'SIGINT' ? 130 : 143));
    await import('../../run-service.ts');
    starting = false;
    return 0;
  },
};
