import { z } from 'zod';
import { cleanText } from '#lib/clean-text.ts';
import type { Client } from './client.ts';
import { CommandError } from './command.ts';

const ProjectPage = z.object({
  items: z.array(
    z.looseObject({
      project_id: z.string(),
      state: z.string(),
      quality_score: z.number(),
      short_title: z.string(),
      short_description: z.string(),
      research_count: z.int(),
      graph_count: z.int(),
      updated_at: z.string(),
    }),
  ),
  has_more: z.boolean(),
});
export type ProjectItem = z.output<typeof ProjectPage>['items'][number];

const PAGE = 100;
const NAMED = 4;

/** Every project of the caller, the most recently changed first. */
export async function listProjects(client: Client, signal: AbortSignal): Promise<ProjectItem[]> {
  const found: ProjectItem[] = [];
  for (let more = true; more;) {
    const page = await client.readOwn(`/projects?limit=${PAGE}&offset=${found.length}`, ProjectPage, signal);
    found.push(...page.items);
    more = page.has_more && page.items.length > 0;
  }
  return found;
}

/**
 * The one project that an id, the beginning of one, or a part of a name stands for.
 * @param missing what is said when there is none
 * @throws CommandError when there is none or more than one
 */
export async function findProject(
  client: Client,
  wanted: string,
  signal: AbortSignal,
  missing = `There is no project "${wanted}": "groundwork projects" lists what there is.`,
): Promise<ProjectItem> {
  const projects = await listProjects(client, signal);
  const text = fold(wanted);
  const fits: ((project: ProjectItem) => boolean)[] = [
    ({ project_id: id }) => id === text,
    ({ short_title: title }) => fold(title) === text,
    ({ project_id: id }) => text.length >= 4 && id.startsWith(text),
    ({ short_title: title }) => fold(title).includes(text),
  ];
  for (const fit of fits) {
    const [first, ...others] = projects.filter(fit);
    if (first && others.length === 0) return first;
    if (first) throw new CommandError(`"${wanted}" fits ${others.length + 1} projects (${nameSome([first, ...others])}): give the id of one.`);
  }
  throw new CommandError(missing);
}

const fold = (text: string): string => cleanText(text).toLowerCase();

const nameSome = (projects: readonly ProjectItem[]): string =>
  [
    ...projects.slice(0, NAMED).map(({ short_title: title, project_id: id }) => `${cleanText(title)} ${id}`),
    ...(projects.length > NAMED ? ['…'] : []),
  ].join(', ');
