import { pino, type Logger } from 'pino';

export type { Logger };

/**
 * The structured log. Credentials are cut out wherever they stand; idea texts are logged at `debug` only.
 * @param destination a stream other than standard error, for the command line and tests
 */
export function openLog(level: string, destination?: NodeJS.WritableStream): Logger {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: ['authorization', 'token', 'apiKey', 'key', 'secret', '*.authorization', '*.token', '*.apiKey', '*.secret', 'headers.authorization'],
        censor: '[cut]',
      },
    },
    destination ?? pino.destination({ fd: 2, sync: false }),
  );
}
