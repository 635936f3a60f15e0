import { z } from 'zod';
import { loadConfig } from '#platform/config/config.ts';
import { cleanText } from '../clean-text.ts';
import { openClient } from '../client.ts';
import { CommandError, noPositionals, parseOptions, type Command } from '../command.ts';
import { findService } from '../connect.ts';

const HELP = `Says which service runs, where, and what it offers.

Usage: groundwork status [options]

Options:
  --url URL   the service to ask (standard: GROUNDWORK_URL, else the one that runs on the data folder)
  -h, --help  this text

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
  run: async (args, { env, signal }) => {
    const { values, positionals } = parseOptions('status', args, { url: { type: 'string' } });
    noPositionals('status', positionals);
    const url = findService(values.url, env);
    if (!url) throw new CommandError(`No service runs on ${loadConfig(env).dataDir}: "groundwork serve" starts one.`);
    const client = openClient(url, '');
    const [version, health] = await Promise.all([client.read('/version', Version, signal), client.read('/status', Status, signal)]);
    const facts = [
      ['Service', `${url} (${health.api_status})`],
      ['Version', `${version.version}, ${version.git_sha}, on ${version.hostname}, since ${version.deployed_at_utc}`],
      ['Database', health.database],
      ['Routes', String(health.route_count)],
    ] as const;
    const routes = health.routes.map(({ method, path, auth }) => `  ${method.padEnd(6)} ${cleanText(path)}${auth === 'public' ? '  (public)' : ''}`);
    process.stdout.write(`${[...facts.map(([name, text]) => `${name.padEnd(9)} ${cleanText(text)}`), ...routes].join('\n')}\n`);
    return health.api_status === 'ok' ? 0 : 1;
  },
};
