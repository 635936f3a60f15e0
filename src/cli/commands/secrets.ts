import { z } from 'zod';
import { cleanText } from '#lib/clean-text.ts';
import { parseOptions, UsageError, type Command, type Run } from '../command.ts';
import { operatorOf } from '../operator.ts';

const HELP = `Seals whatever secrets a service stores (keys and tokens of users, text messages that wait) under a new key, while the
service runs. For the operator of a service: the command needs the service's ADMIN_SECRET.

Usage: groundwork secrets rotate [options]

Where the key is a file in the data folder, the command makes a new one in it; the two before stay there, to open what was
sealed meanwhile. Where it is SECRETS_KEY, set SECRETS_KEY to the new key and SECRETS_KEY_PREVIOUS
to the old one, start the service again, run this, and take SECRETS_KEY_PREVIOUS away. A rotation that was interrupted goes
on where it was when the command is run again.

Options:
  --json      print the counts as JSON
  --url URL   the service to ask (standard: GROUNDWORK_URL, else the one that runs on the data folder)
  -h, --help  this text
`;

const Step = z.object({
  new_key: z.boolean(),
  columns: z.array(z.object({ column: z.string(), resealed: z.int(), unreadable: z.int() })),
  next: z.string().nullable(),
});

type Counts = { resealed: number; unreadable: number };

export const secrets: Command = {
  summary: 'seals stored secrets under a new key',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('secrets', args, { json: { type: 'boolean', default: false }, url: { type: 'string' } });
    if (positionals.length !== 1 || positionals[0] !== 'rotate') throw new UsageError('Say what: groundwork secrets rotate.');
    const { newKey, counts } = await rotate(values.url, run);
    const columns = [...counts].map(([column, count]) => ({ column, ...count }));
    if (values.json) process.stdout.write(`${JSON.stringify({ new_key: newKey, columns }, null, 2)}\n`);
    else process.stdout.write(columns.map((each) => `${cleanText(each.column)}: ${countText(each)}\n`).join(''));
    process.stderr.write(
      newKey
        ? 'A new key was made: the backup of the data folder needs it too.\n'
        : 'No new key was made: what was left is under the key that is there.\n',
    );
    return columns.some(({ unreadable }) => unreadable > 0) ? 1 : 0;
  },
};

async function rotate(url: string | undefined, { env, signal }: Run): Promise<{ newKey: boolean; counts: Map<string, Counts> }> {
  const operator = operatorOf(url, env);
  const counts = new Map<string, Counts>();
  let newKey = false;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const step: z.output<typeof Step> = await operator.create('/admin/secrets/rotate', cursor === undefined ? {} : { cursor }, Step, signal);
    newKey ||= step.new_key;
    for (const { column, resealed, unreadable } of step.columns) {
      const before = counts.get(column) ?? { resealed: 0, unreadable: 0 };
      counts.set(column, { resealed: before.resealed + resealed, unreadable: before.unreadable + unreadable });
    }
    cursor = step.next;
  }
  return { newKey, counts };
}

const countText = ({ resealed, unreadable }: Counts): string =>
  `${resealed} sealed anew${unreadable === 0 ? '' : `, ${unreadable} that no key opens (the log of the service names them)`}`;
