import { z } from 'zod';
import { count, listOf } from '#lib/text.ts';
import { cleanText } from '#lib/clean-text.ts';
import type { Client } from '../client.ts';
import { noPositionals, parseOptions, UsageError, type Command, type Run } from '../command.ts';
import { confirm } from '../confirm.ts';
import { connect } from '../connect.ts';
import { findProject, listProjects, type ProjectItem } from '../find-project.ts';
import { projectTable } from '../project-table.ts';

const HELP = `Lists your projects, the most recently changed first, or deletes one.

Usage: groundwork projects [options]
       groundwork projects delete <project> [options]   deletes a project with everything in it

<project> is an id, the beginning of one, or a part of a project's name.

Options:
  --json      print the list as JSON
  --yes       delete without asking
  --url URL   the service to ask (standard: GROUNDWORK_URL, else the one on the data folder, else one for this command)
  -h, --help  this text
`;

export const projects: Command = {
  summary: 'lists your projects, deletes one',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('projects', args, {
      json: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      url: { type: 'string' },
    });
    const { json, yes, url } = values;
    const [action, ...others] = positionals;
    if (action === 'delete') {
      if (json) throw new UsageError('"groundwork projects delete" takes no --json.');
      return deleteOne(wantedProject(others), { yes, url }, run);
    }
    noPositionals('projects', positionals);
    if (yes) throw new UsageError('--yes goes with "groundwork projects delete <project>".');
    return list({ json, url }, run);
  },
};

async function list({ json, url }: { json: boolean; url: string | undefined }, run: Run): Promise<number> {
  const connected = await connect(url, run);
  try {
    const items = await listProjects(connected.client, run.signal);
    if (json) process.stdout.write(`${JSON.stringify(items, null, 2)}\n`);
    else if (items.length > 0) process.stdout.write(projectTable(items, process.stdout.isTTY ? process.stdout.columns || 80 : undefined));
    else process.stdout.write(`No projects at ${connected.embedded ? 'this installation' : connected.client.url} yet.\n`);
    return 0;
  } finally {
    await connected.stop();
  }
}

function wantedProject([first = '', second]: readonly string[]): string {
  if (first.trim() === '') throw new UsageError('Say which project: groundwork projects delete <project>.');
  if (second !== undefined) throw new UsageError('The project is one argument: put a name with spaces in quotes.');
  return first.trim();
}

async function deleteOne(wanted: string, { yes, url }: { yes: boolean; url: string | undefined }, run: Run): Promise<number> {
  const { stdin: input, stderr: output } = process;
  if (!yes && !(input.isTTY && output.isTTY)) throw new UsageError('There is no terminal to ask on: --yes deletes without asking.');
  const connected = await connect(url, run);
  try {
    const project = await findProject(connected.client, wanted, run.signal);
    const name = `"${cleanText(project.short_title)}" (${project.project_id})`;
    if (!yes && !(await confirm(`Delete ${name} with ${contentsOf(project)}?`, { input, output }, run.signal))) {
      process.stderr.write('Nothing was deleted.\n');
      return 1;
    }
    await remove(connected.client, project, run.signal);
    process.stderr.write(`Deleted project ${name}.\n`);
    return 0;
  } finally {
    await connected.stop();
  }
}

const contentsOf = ({ research_count: researches, graph_count: plans }: ProjectItem): string =>
  listOf([
    ...(researches > 0 ? [count(researches, 'research', 'researches')] : []),
    ...(plans > 0 ? [count(plans, 'plan')] : []),
    'whatever else is in it',
  ]);

const remove = (client: Client, { project_id: id }: ProjectItem, signal: AbortSignal): Promise<unknown> =>
  client.remove(`/projects/${encodeURIComponent(id)}`, z.unknown(), signal);
