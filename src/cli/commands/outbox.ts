import { z } from 'zod';
import { cleanText } from '#lib/clean-text.ts';
import { noPositionals, parseOptions, type Command } from '../command.ts';
import { operatorOf } from '../operator.ts';

const HELP = `Lists the text messages that wait to be passed on, the latest first: a service without SMS_ACCOUNT_SID keeps them for a week.
They may hold codes. For the operator of a service: the command needs the service's ADMIN_SECRET.

Usage: groundwork outbox [options]

Options:
  --json      print the list as JSON
  --url URL   the service to ask (standard: GROUNDWORK_URL, else the one that runs on the data folder)
  -h, --help  this text
`;

const Outbox = z.object({
  total: z.int(),
  items: z.array(z.object({ id: z.string(), to: z.string(), body: z.string().nullable(), created_at: z.string() })),
});

export const outbox: Command = {
  summary: 'lists text messages that wait to be passed on',
  help: HELP,
  run: async (args, { env, signal }) => {
    const { values, positionals } = parseOptions('outbox', args, { json: { type: 'boolean', default: false }, url: { type: 'string' } });
    noPositionals('outbox', positionals);
    const { total, items } = await operatorOf(values.url, env).read('/admin/outbox?limit=200', Outbox, signal);
    if (values.json) process.stdout.write(`${JSON.stringify(items, null, 2)}\n`);
    else if (total === 0) process.stdout.write('No text message waits.\n');
    else process.stdout.write(items.map(({ created_at: at, to, body }) => `${at}  ${cleanText(to)}\n  ${bodyText(body)}\n`).join(''));
    if (total > items.length) process.stderr.write(`${total - items.length} earlier ones are not shown.\n`);
    return 0;
  },
};

const bodyText = (body: string | null): string => (body === null ? '(no key of the installation opens it)' : cleanText(body));
