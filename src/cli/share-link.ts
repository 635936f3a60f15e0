import { z } from 'zod';
import { cleanText } from '#lib/clean-text.ts';
import { unlessMissing } from './client-errors.ts';
import type { Client } from './client.ts';
import { CommandError } from './command.ts';
import { findProject, type ProjectItem } from './find-project.ts';

export type Shared = { what: 'research' | 'brief'; id: string; url: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const Link = z.object({ share_url: z.url() });
const Brief = z.object({ project_id: z.string(), status: z.string(), share_token: z.string() });
const Home = z.object({ briefs: z.array(Link) });
const Researches = z.object({ items: z.array(z.object({ id: z.string(), status: z.string() })) });

const linkPath = (researchId: string): string => `/research/${encodeURIComponent(researchId)}/share`;

/**
 * The public link of a research, of a project's newest completed research, or of a brief.
 * @throws CommandError when there is no such thing, or it is not completed
 */
export async function shareLink(client: Client, wanted: string, signal: AbortSignal): Promise<Shared> {
  if (UUID.test(wanted)) {
    const link = await unlessMissing(client.create(linkPath(wanted), undefined, Link, signal));
    if (link) return { what: 'research', id: wanted, url: link.share_url };
    const brief = await findBrief(client, wanted, signal);
    if (brief) return { what: 'brief', id: wanted, url: await briefLink(client, brief, signal) };
  }
  const project = await projectOf(client, wanted, signal);
  const [newest] = await completedOf(client, project, signal);
  if (newest === undefined) throw new CommandError(`No research in "${cleanText(project.short_title)}" is completed yet: there is nothing to share.`);
  return { what: 'research', id: newest, url: (await client.create(linkPath(newest), undefined, Link, signal)).share_url };
}

/**
 * Takes back the link of a research, or the links of all researches of a project.
 * @throws CommandError when there is no such thing, and for a brief, whose link lives as long as it does
 */
export async function revokeLink(client: Client, wanted: string, signal: AbortSignal): Promise<void> {
  if (UUID.test(wanted)) {
    if (await unlessMissing(client.remove(linkPath(wanted), z.unknown(), signal))) return;
    if (await findBrief(client, wanted, signal)) throw new CommandError('The link of a brief lives as long as the brief: it cannot be taken back.');
  }
  const project = await projectOf(client, wanted, signal);
  for (const id of await completedOf(client, project, signal)) await client.remove(linkPath(id), z.unknown(), signal);
}

const findBrief = (client: Client, id: string, signal: AbortSignal) =>
  unlessMissing(client.readOwn(`/briefs/${encodeURIComponent(id)}`, Brief, signal));

async function briefLink(client: Client, brief: z.output<typeof Brief>, signal: AbortSignal): Promise<string> {
  if (brief.status !== 'ready') throw new CommandError(`Only a brief that is ready can be shared; this one is ${brief.status}.`);
  // The home of a project tells where its newest briefs are shared; the others are beside them.
  const { briefs } = await client.readOwn(`/projects/${encodeURIComponent(brief.project_id)}/home`, Home, signal);
  return new URL(brief.share_token, briefs[0]?.share_url).href;
}

const projectOf = (client: Client, wanted: string, signal: AbortSignal): Promise<ProjectItem> =>
  findProject(client, wanted, signal, UUID.test(wanted) ? `There is no research, brief or project with the id ${wanted}.` : undefined);

/** Ids of the completed researches of a project, the newest first. */
async function completedOf(client: Client, { project_id: id }: ProjectItem, signal: AbortSignal): Promise<string[]> {
  const { items } = await client.readOwn(`/projects/${encodeURIComponent(id)}/research?limit=100`, Researches, signal);
  return items.filter(({ status }) => status === 'completed').map((item) => item.id);
}
