import { join } from 'node:path';
import { loadConfig } from '#platform/config/config.ts';
import { CommandError, noPositionals, parseOptions, UsageError, type Command } from '../command.ts';

const HELP = `Prints an identity token of the embedded identity provider: for signing in on your own installation.

Usage: groundwork token --user <id> [options]

Options:
  --user ID      the user that the token stands for
  --name NAME    the user's name
  --email EMAIL  the user's e-mail address
  --days N       days until it expires, 1 to 365 (standard: 30)
  -h, --help     this text

POST /auth/session exchanges it for a session token. It is signed with the key in DATA_DIR/identity-key.json.
`;

const LONGEST_DAYS = 365;

export const token: Command = {
  summary: 'prints a token to sign in with on your own installation',
  help: HELP,
  run: async (args, { env }) => {
    const { values, positionals } = parseOptions('token', args, {
      user: { type: 'string' },
      name: { type: 'string' },
      email: { type: 'string' },
      days: { type: 'string', default: '30' },
    });
    noPositionals('token', positionals);
    const { name, email } = values;
    const userId = values.user?.trim();
    if (!userId) throw new UsageError('Say who the token is for: groundwork token --user <id>.');
    if (userId.startsWith('anon:')) throw new UsageError('A user id cannot begin with "anon:": that marks callers without an account.');
    const days = Number(values.days);
    if (!Number.isInteger(days) || days < 1 || days > LONGEST_DAYS) {
      throw new UsageError(`--days must be a whole number from 1 to ${LONGEST_DAYS}; it is "${values.days}".`);
    }
    const config = loadConfig(env);
    if (config.identity.kind === 'provider') {
      throw new CommandError(`Tokens come from the identity provider that is configured (${config.identity.jwksUrl}); the embedded one is off.`);
    }
    if (config.database.kind === 'memory') {
      throw new CommandError('A service with DATABASE_URL=memory: makes a key of its own at each start, which this command cannot know.');
    }
    const { signIdentityToken } = await import('#features/auth');
    const who = { userId, issuer: config.http.baseUrl, ...(name ? { name } : {}), ...(email ? { email } : {}) };
    process.stdout.write(`${await signIdentityToken(join(config.dataDir, 'identity-key.json'), who, days * 24 * 60 * 60)}\n`);
    return 0;
  },
};
