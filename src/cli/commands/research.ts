import { parseOptions, UsageError, type Command } from '../command.ts';
import { followResearch } from '../follow-research.ts';
import { readIdea } from '../idea-argument.ts';
import { chooser } from '../ask-market.ts';
import { marketIds } from '../market-option.ts';
import { RESEARCH_STAGES } from '../progress.ts';
import { withService } from '../with-service.ts';
import { checkWritable } from '../write-out.ts';
import { writeResearch } from '../write-research.ts';

const HELP = `Researches the market of a product idea and prints the report.

Usage: groundwork research "<idea>" [options]
       groundwork research - [options]          reads the idea from standard input

Options:
  --mode market|feature   what to research (standard: market)
  --market NAME           the market that is meant, by id or name; up to three times
  --json                  print the whole result as JSON instead of the report
  --out FILE              write the report to FILE instead: Markdown, or JSON when the name ends in .json
  --url URL               the service to ask
  -h, --help              this text

On a terminal it shows first how the idea was understood, and asks where its market is unsure; "groundwork correct" puts
the rest right.

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
      market: { type: 'string', multiple: true },
    });
    const { json, out, url, mode } = values;
    if (mode !== 'market' && mode !== 'feature') throw new UsageError(`--mode must be market or feature; it is "${mode}".`);
    const idea = await readIdea('research', positionals);
    if (out !== undefined) checkWritable(out);
    const markets = await marketIds(values.market ?? []);
    const request = { idea, mode, ...(markets.length > 0 ? { markets } : {}) } as const;
    const found = await withService({ url, stages: RESEARCH_STAGES }, run, async ({ client }, display) => {
      const choose = json || markets.length > 0 ? undefined : chooser(display, run.signal);
      const researched = await followResearch(client, request, display, run.signal, { echo: !json, ...(choose ? { choose } : {}) });
      display.show({ event: 'finished', data: {} });
      return researched;
    });
    writeResearch(found, { json, out }, run);
    return 0;
  },
};
