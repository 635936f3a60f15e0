import { z } from 'zod';
import type { Correction } from '#features/research';
import { cleanText } from '#lib/clean-text.ts';
import type { Client } from '../client.ts';
import { CommandError, parseOptions, UsageError, type Command } from '../command.ts';
import { findProject, listProjects } from '../find-project.ts';
import { correctAndFollow } from '../follow-research.ts';
import { marketIds } from '../market-option.ts';
import { RESEARCH_STAGES } from '../progress.ts';
import { withService } from '../with-service.ts';
import { checkWritable } from '../write-out.ts';
import { writeResearch } from '../write-research.ts';

const HELP = `Puts right how an idea was understood, and researches it anew from there.

Usage: groundwork correct [project] [options]

[project] is an id, the beginning of one, or a part of a project's name; without it, the project that changed last.

Options:
  --user TEXT           who it is for
  --pain TEXT           what hurts them
  --action TEXT         what it does
  --asked-for "A; B"    what it is to have
  --not-asked-for "A"   what it does without
  --place TEXT          where it is for
  --price TEXT          what it is to cost
  --language CODE       such as en
  --market NAME         the market that is meant, by id or name; up to three times
  --json                print the whole result as JSON instead of the report
  --out FILE            write the report to FILE instead: Markdown, or JSON when the name ends in .json
  --url URL             the service to ask (standard: GROUNDWORK_URL, else the one on the data folder, else one for this command)
  -h, --help            this text

"" takes away what was understood. What is not named stays as it was.
`;

const TEXTS = { user: 'user', pain: 'pain', action: 'core_action', place: 'place', price: 'price', language: 'language' } as const;
const LISTS = { 'asked-for': 'asked_for', 'not-asked-for': 'not_asked_for' } as const;

export const correct: Command = {
  summary: 'puts right how an idea was understood, and researches it anew from there',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('correct', args, {
      user: { type: 'string' },
      pain: { type: 'string' },
      action: { type: 'string' },
      place: { type: 'string' },
      price: { type: 'string' },
      language: { type: 'string' },
      'asked-for': { type: 'string' },
      'not-asked-for': { type: 'string' },
      market: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      out: { type: 'string' },
      url: { type: 'string' },
    });
    const { json, out, url } = values;
    if (positionals.length > 1) throw new UsageError('The project is one argument: put a name with spaces in quotes.');
    const correction = await correctionOf(values, values.market);
    if (Object.keys(correction).length === 0)
      throw new UsageError('Say what to put right, as in --user "beekeepers": "groundwork correct --help" lists what there is.');
    if (out !== undefined) checkWritable(out);
    const found = await withService({ url, stages: RESEARCH_STAGES }, run, async ({ client }, display) => {
      const corrects = await newestResearch(client, positionals[0]?.trim() ?? '', run.signal);
      const researched = await correctAndFollow(client, { ...corrects, correction }, display, run.signal, { echo: !json });
      display.show({ event: 'finished', data: {} });
      return researched;
    });
    writeResearch(found, { json, out }, run);
    return 0;
  },
};

type Given = Partial<Record<keyof typeof TEXTS | keyof typeof LISTS, string>>;

async function correctionOf(given: Given, markets: readonly string[] | undefined): Promise<Correction> {
  const texts = Object.entries(TEXTS).flatMap(([option, field]) => {
    const text = given[option as keyof typeof TEXTS];
    return text === undefined ? [] : [[field, text.trim() || null] as const];
  });
  const lists = Object.entries(LISTS).flatMap(([option, field]) => {
    const text = given[option as keyof typeof LISTS];
    return text === undefined ? [] : [[field, listIn(text)] as const];
  });
  const named = markets?.filter((market) => market.trim() !== '');
  return { ...Object.fromEntries([...texts, ...lists]), ...(named ? { markets: await marketIds(named) } : {}) } as Correction;
}

function listIn(text: string): string[] | null {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.length > 0 ? parts : null;
}

const Researches = z.object({ items: z.array(z.object({ id: z.string(), status: z.string() })) });

/** The newest research of a project that did not fail. */
async function newestResearch(client: Client, wanted: string, signal: AbortSignal): Promise<{ projectId: string; researchId: string }> {
  const project = wanted === '' ? (await listProjects(client, signal))[0] : await findProject(client, wanted, signal);
  if (!project) throw new CommandError('There is no project yet: "groundwork research" makes one.');
  const { items } = await client.readOwn(`/projects/${encodeURIComponent(project.project_id)}/research?limit=100`, Researches, signal);
  const newest = items.find(({ status }) => status !== 'failed');
  if (!newest) throw new CommandError(`Nothing was researched in "${cleanText(project.short_title)}" yet: there is nothing to put right.`);
  return { projectId: project.project_id, researchId: newest.id };
}
