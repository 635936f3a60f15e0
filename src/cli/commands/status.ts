import { z } from 'zod';
import { loadConfig } from '#platform/config/config.ts';
import { cleanText } from '#lib/clean-text.ts';
import { openClient } from '../client.ts';
import { CommandError, noPositionals, parseOptions, type Command, type Run } from '../command.ts';
import { findService } from '../connect.ts';
import { GivenUp, operatorOf } from '../operator.ts';

const HELP = `Says which service runs, where, and what it offers.

Usage: groundwork status [options]

Options:
  --url URL   the service to ask (standard: GROUNDWORK_URL, else the one that runs on the data folder)
  -h, --help  this text

With the service's ADMIN_SECRET it also says how many reactions to events gave up.
The exit code is 0 when the service and its database answer.
`;

const Version = z.object({ version: z.string(), git_sha: z.string(), deployed_at_utc: z.string(), hostname: z.string() });
const Status = z.object({
  api_status: z.string(),
  database: z.string(),
  route_count: z.int(),
  routes: z.array(z.object({ method: z.string(), path: z.string(), auth: z.string() })),
});

export const status: Command = {
  summary: 'says which service runs and what it offers',
  help: HELP,
  run: async (args, run) => {
    const { env, signal } = run;
    const { values, positionals } = parseOptions('status', args, { url: { type: 'string' } });
    noPositionals('status', positionals);
    const config = loadConfig(env);
    const url = findService(values.url, env);
    if (!url) throw new CommandError(`No service runs on ${config.dataDir}: "groundwork serve" starts one.`);
    const client = openClient(url, '');
    const [version, health] = await Promise.all([client.read('/version', Version, signal), client.read('/status', Status, signal)]);
    const gaveUp = config.adminSecret === undefined ? null : await countGivenUp(url, run);
    const facts = [
      ['Service', `${url} (${health.api_status})`],
      ['Version', `${version.version}, ${version.git_sha}, on ${version.hostname}, since ${version.deployed_at_utc}`],
      ['Database', health.database],
      ...(gaveUp === null ? [] : [['Reactions', gaveUp === 0 ? 'none gave up' : `${gaveUp} gave up: "groundwork reactions" lists them`] as const]),
      ['Routes', String(health.route_count)],
    ] as const;
    const routes = health.routes.map(({ method, path, auth }) => `  ${method.padEnd(6)} ${cleanText(path)}${auth === 'public' ? '  (public)' : ''}`);
    process.stdout.write(`${[...facts.map(([name, text]) => `${name.padEnd(9)} ${cleanText(text)}`), ...routes].join('\n')}\n`);
    return health.api_status === 'ok' ? 0 : 1;
  },
};

/** How many reactions gave up; null when the service does not say. */
const countGivenUp = (url: string, { env, signal }: Run): Promise<number | null> =>
  operatorOf(url, env)
    .read('/admin/reactions?limit=1', GivenUp, signal)
    .then(
      ({ total }) => total,
      () => null,
    );
