import { extname, resolve } from 'node:path';
import { CommandError, parseOptions, UsageError, type Command } from '../command.ts';
import type { Client, Download } from '../client.ts';
import { withService } from '../with-service.ts';
import { checkWritable, writeOut } from '../write-out.ts';

const HELP = `Writes a research, a plan or a brief to a PDF file.

Usage: groundwork export <id> --pdf FILE [options]

<id> is what "groundwork research", "plan" or "brief" say at their end; which of the three it is, is found out.

Options:
  --pdf FILE    the file to write
  --url URL     the service to ask (standard: GROUNDWORK_URL, else the one on the data folder, else one for this command)
  -h, --help    this text
`;

const KINDS = [
  { name: 'research', folder: 'research' },
  { name: 'plan', folder: 'build-graphs' },
  { name: 'brief', folder: 'briefs' },
] as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const exportFile: Command = {
  summary: 'writes a research, a plan or a brief to a PDF file',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('export', args, { pdf: { type: 'string' }, url: { type: 'string' } });
    const [id = '', second] = positionals;
    if (id === '') throw new UsageError('Say what to export: groundwork export <id> --pdf FILE.');
    if (second !== undefined) throw new UsageError(`"groundwork export" takes no "${second}".`);
    if (values.pdf === undefined) throw new UsageError('Say which file to write: --pdf FILE.');
    if (!UUID.test(id)) throw new UsageError(`"${id}" is no id: "groundwork research", "plan" and "brief" say theirs at their end.`);
    checkWritable(values.pdf);
    const { kind, file } = await withService({ url: values.url, stages: {} }, run, ({ client }) => find(client, id, run.signal));
    const path = resolve(values.pdf);
    if (!file.contentType.startsWith('application/pdf')) {
      const text = `${path.slice(0, path.length - extname(path).length)}.txt`;
      writeOut(text, file.bytes);
      throw new CommandError(`The ${kind} could not be set as PDF; its text is in ${text}.`);
    }
    writeOut(path, file.bytes);
    process.stderr.write(`The ${kind} is in ${path}\n`);
    return 0;
  },
};

async function find(client: Client, id: string, signal: AbortSignal): Promise<{ kind: string; file: Download }> {
  for (const { name, folder } of KINDS) {
    const file = await client.download(`/${folder}/${id}/export?format=pdf`, signal);
    if (file) return { kind: name, file };
  }
  throw new CommandError(`There is no research, plan or brief with the id ${id}.`);
}
