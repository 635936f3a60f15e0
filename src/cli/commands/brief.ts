import { briefDocument } from '#features/reports';
import { parseOptions, UsageError, type Command } from '../command.ts';
import { BRIEF_STAGES, obtainBrief, readableBrief } from '../obtain-brief.ts';
import { withService } from '../with-service.ts';
import { checkWritable, writeFound } from '../write-out.ts';

const HELP = `Prints the market brief of a project; writes it first when there is none.

Usage: groundwork brief <project> [options]

<project> is an id, the beginning of one, or a part of a project's name: "groundwork projects" lists them.

Options:
  --new         write a new brief, also when there is one
  --json        print the brief as JSON
  --out FILE    write the brief to FILE instead: Markdown, or JSON when the name ends in .json
  --url URL     the service to ask (standard: GROUNDWORK_URL, else the one on the data folder, else one for this command)
  -h, --help    this text
`;

export const brief: Command = {
  summary: 'prints the market brief of a project, written first when there is none',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('brief', args, {
      new: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      out: { type: 'string' },
      url: { type: 'string' },
    });
    const { json, out, url, new: anew } = values;
    const project = positionals[0]?.trim() ?? '';
    if (project === '') throw new UsageError('Say which project: groundwork brief <project>; "groundwork projects" lists them.');
    if (positionals.length > 1) throw new UsageError('The project is one argument: put a name with spaces in quotes.');
    if (out !== undefined) checkWritable(out);
    const data = await withService({ url, stages: BRIEF_STAGES }, run, async ({ client }, display) => {
      const obtained = await obtainBrief(client, { project, anew }, display, run.signal);
      display.show({ event: 'finished', data: {} });
      return obtained;
    });
    const reported = await readableBrief(data);
    writeFound({ data, document: () => briefDocument(reported), summary: 'The brief' }, { json, out }, run);
    process.stderr.write(`Kept as brief ${String(data['id'])} in project ${String(data['project_id'])}\n`);
    return 0;
  },
};
