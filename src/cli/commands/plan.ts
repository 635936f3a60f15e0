import { daysInWords, planDocument } from '#features/reports';
import { count } from '#lib/text.ts';
import { parseOptions, type Command } from '../command.ts';
import { readIdea } from '../idea-argument.ts';
import { makePlan, PLAN_STAGES } from '../make-plan.ts';
import { withService } from '../with-service.ts';
import { checkWritable, writeFound } from '../write-out.ts';

const HELP = `Plans the build of a product idea: researches its market, studies how its features are built, and takes the work apart.

Usage: groundwork plan "<idea>" [options]
       groundwork plan - [options]          reads the idea from standard input

Options:
  --new         plan anew, also when this research has a plan already
  --json        print the plan with the ids of what it rests on as JSON
  --out FILE    write the plan to FILE instead: Markdown, or JSON when the name ends in .json
  --url URL     the service to ask
  -h, --help    this text

The parts come as a tree with the days each takes (from an easy to a hard course), what tells that it is done, what has
to come first, and the feature or source it comes from. ◆ marks the longest chain, which decides the earliest end.

The service is the one that --url or GROUNDWORK_URL names, else the one that runs on the data folder (DATA_DIR,
standard ./data). When there is none, it is started for as long as this command runs. Progress goes to standard error.
Ctrl-C stops; the same command later goes on where it was. Everything is kept in a project: "groundwork projects" lists it.
`;

export const plan: Command = {
  summary: 'plans the build of an idea, from its research to a tree of work',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('plan', args, {
      new: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      out: { type: 'string' },
      url: { type: 'string' },
    });
    const { json, out, url, new: anew } = values;
    const idea = await readIdea('plan', positionals);
    if (out !== undefined) checkWritable(out);
    const made = await withService({ url, stages: PLAN_STAGES }, run, async ({ client }, display) => {
      const plan = await makePlan(client, { idea, anew }, display, run.signal);
      display.show({ event: 'finished', data: {} });
      return plan;
    });
    const { projectId, researchId, featureResearchId, graph, artifact } = made;
    const data = { project_id: projectId, research_id: researchId, feature_research_id: featureResearchId, graph };
    const summary = `${count(graph.nodes.length, 'part')}, ${daysInWords(graph.total_days)} of work. The plan`;
    const reported = { graph, evidence: artifact.evidence, researched: [{ idea: artifact.product_idea, link: `research ${researchId}` }] };
    writeFound({ data, document: (detail) => planDocument(reported, detail), summary }, { json, out }, run);
    process.stderr.write(`Kept as plan ${graph.id} in project ${projectId}\n`);
    return 0;
  },
};
