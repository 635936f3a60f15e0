import { verdictLine } from '#features/report-parts';
import { parseOptions, UsageError, type Command } from '../command.ts';
import { followResearch } from '../follow-research.ts';
import { readIdea } from '../idea-argument.ts';
import { RESEARCH_STAGES } from '../progress.ts';
import { outlineOf } from '../report-outline.ts';
import { withService } from '../with-service.ts';
import { checkWritable, writeFound } from '../write-out.ts';

const HELP = `Researches the market of a product idea and prints the report.

Usage: groundwork research "<idea>" [options]
       groundwork research - [options]          reads the idea from standard input

Options:
  --mode market|feature   what to research (standard: market)
  --json                  print the whole result as JSON instead of the report
  --out FILE              write the report to FILE instead: Markdown, or JSON when the name ends in .json
  --url URL               the service to ask
  -h, --help              this text

The service is the one that --url or GROUNDWORK_URL names, else the one that runs on the data folder (DATA_DIR,
standard ./data). When there is none, it is started for as long as this command runs. Progress goes to standard error.
Ctrl-C stops; the same command later goes on where it was. The research is kept in a project: "groundwork projects"
lists it, "groundwork plan" with the same idea plans its build, "groundwork brief" writes its brief.
`;

export const research: Command = {
  summary: 'researches the market of an idea and prints the report',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('research', args, {
      json: { type: 'boolean', default: false },
      out: { type: 'string' },
      url: { type: 'string' },
      mode: { type: 'string', default: 'market' },
    });
    const { json, out, url, mode } = values;
    if (mode !== 'market' && mode !== 'feature') throw new UsageError(`--mode must be market or feature; it is "${mode}".`);
    const idea = await readIdea('research', positionals);
    if (out !== undefined) checkWritable(out);
    const { artifact, projectId, researchId } = await withService({ url, stages: RESEARCH_STAGES }, run, async ({ client }, display) => {
      const researched = await followResearch(client, { idea, mode }, display, run.signal);
      display.show({ event: 'finished', data: {} });
      return researched;
    });
    writeFound(
      { data: artifact, outline: () => outlineOf(artifact), summary: `${verdictLine(artifact.recommendation)}. The report` },
      { json, out },
      run,
    );
    process.stderr.write(`Kept as research ${researchId} in project ${projectId}\n`);
    return 0;
  },
};
