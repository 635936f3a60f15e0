import { z } from 'zod';
import { cleanText } from '#lib/clean-text.ts';
import type { OperatorClient } from '../client.ts';
import { CommandError, noPositionals, parseOptions, UsageError, type Command, type Run } from '../command.ts';
import { GivenUp, operatorOf } from '../operator.ts';

const HELP = `Lists what was to follow an event and gave up, the latest first, or runs it again. For the operator of a service: the
command needs the service's ADMIN_SECRET.

Usage: groundwork reactions [options]
       groundwork reactions run <event-id> <reaction> [options]   runs one of them again
       groundwork reactions run --all [options]                   runs all of them again

Options:
  --all       run all of them again
  --json      print the list as JSON
  --url URL   the service to ask (standard: GROUNDWORK_URL, else the one that runs on the data folder)
  -h, --help  this text
`;

const Queued = z.object({ queued: z.int() });

export const reactions: Command = {
  summary: 'lists what gave up following an event, runs it again',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('reactions', args, {
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      url: { type: 'string' },
    });
    const [action, ...others] = positionals;
    if (action === 'run') {
      if (values.json) throw new UsageError('"groundwork reactions run" takes no --json.');
      return runAgain(wantedOf(others, values.all), operatorOf(values.url, run.env), run);
    }
    noPositionals('reactions', positionals);
    if (values.all) throw new UsageError('--all goes with "groundwork reactions run".');
    return list(values.json, operatorOf(values.url, run.env), run);
  },
};

type Wanted = { event_id: string; reaction: string } | 'all';

function wantedOf([eventId, reaction, more]: readonly string[], all: boolean): Wanted {
  if (all && eventId === undefined) return 'all';
  if (all || !eventId || !reaction || more !== undefined) {
    throw new UsageError('Say which: groundwork reactions run <event-id> <reaction>, or groundwork reactions run --all.');
  }
  return { event_id: eventId, reaction };
}

async function list(json: boolean, operator: OperatorClient, { signal }: Run): Promise<number> {
  const { total, items } = await operator.read('/admin/reactions?limit=200', GivenUp, signal);
  if (json) process.stdout.write(`${JSON.stringify(items, null, 2)}\n`);
  else if (total === 0) process.stdout.write('No reaction has given up.\n');
  else
    process.stdout.write(
      items
        .map(
          ({ event_id: id, reaction, gave_up_at: at, error }) => `${at}  ${id}  ${cleanText(reaction)}\n  ${cleanText(error ?? 'no reason given')}\n`,
        )
        .join(''),
    );
  if (total > items.length) process.stderr.write(`${total - items.length} earlier ones are not shown.\n`);
  return 0;
}

async function runAgain(wanted: Wanted, operator: OperatorClient, { signal }: Run): Promise<number> {
  const path = wanted === 'all' ? '/admin/reactions/run-all' : '/admin/reactions/run';
  const { queued } = await operator.create(path, wanted === 'all' ? undefined : wanted, Queued, signal);
  if (queued === 0) throw new CommandError('No reaction has given up that this service knows.');
  process.stderr.write(`${queued === 1 ? 'One reaction runs' : `${queued} reactions run`} again.\n`);
  return 0;
}
