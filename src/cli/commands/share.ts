import { parseOptions, UsageError, type Command } from '../command.ts';
import { isLocal } from '../local-host.ts';
import { revokeLink, shareLink } from '../share-link.ts';
import { withService } from '../with-service.ts';

const HELP = `Prints a link under which everybody can read a research or a brief.

Usage: groundwork share <id or project> [options]

<id> is what "groundwork research" or "brief" say at their end; of a project, named by its id, the beginning of one or a
part of its name, the newest completed research is shared. A plan cannot be shared: "groundwork export" makes a file of it.

Options:
  --revoke    take the link back: nobody can read it any more (of a project: the links of all its researches)
  --url URL   the service to ask (standard: GROUNDWORK_URL, else the one on the data folder, else one for this command)
  -h, --help  this text

The link answers while the service runs. It begins with the service's BASE_URL: set it to the address that others reach.
`;

export const share: Command = {
  summary: 'prints a public link to a research or a brief, or takes it back',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('share', args, { revoke: { type: 'boolean', default: false }, url: { type: 'string' } });
    const [first = '', second] = positionals;
    const wanted = first.trim();
    if (wanted === '') throw new UsageError('Say what to share: groundwork share <id or project>.');
    if (second !== undefined) throw new UsageError('What to share is one argument: put a name with spaces in quotes.');
    const { url, revoke } = values;
    if (revoke) {
      await withService({ url, stages: {} }, run, ({ client }) => revokeLink(client, wanted, run.signal));
      process.stderr.write('Nobody can read it by its link any more.\n');
      return 0;
    }
    const { shared, embedded } = await withService({ url, stages: {} }, run, async ({ client, embedded: own }) => ({
      shared: await shareLink(client, wanted, run.signal),
      embedded: own,
    }));
    process.stdout.write(`${shared.url}\n`);
    const readers = isLocal(new URL(shared.url).hostname) ? 'Everybody on this machine' : 'Everybody';
    process.stderr.write(`${readers} who has this link can read the ${shared.what}${embedded ? ' while "groundwork serve" runs' : ''}.\n`);
    if (shared.what === 'research') process.stderr.write(`"groundwork share ${shared.id} --revoke" takes it back.\n`);
    return 0;
  },
};
