import type { z } from 'zod';
import { findOwnedJob } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { ownedGraph } from './change-graph.ts';
import { presentDetail } from './present-graph.ts';
import type { GraphDetail } from './schema.ts';

/** A graph with the ideas of the research behind it: the one it was planned on (`basis`) and those that were linked. */
export type Plan = { graph: z.input<typeof GraphDetail>; researched: { idea: string; link: string }[] };

/**
 * Everything a printed build plan shows.
 * @throws AppError 404 for a graph that is not the caller's
 */
export async function readPlan({ db }: Needs<'db'>, principal: Principal, id: string): Promise<Plan> {
  const row = await ownedGraph({ db }, principal, id);
  const graph = await presentDetail({ db }, row);
  const links = [
    ...(row.research_id ? [{ researchId: row.research_id, link: 'basis' }] : []),
    ...graph.sources.map(({ research_id: researchId, link_type: link }) => ({ researchId, link })),
  ];
  const researched = await Promise.all(
    links.map(async ({ researchId, link }) => ({ link, idea: (await findOwnedJob(db, principal.userId, researchId))?.idea ?? '' })),
  );
  return { graph, researched: researched.filter(({ idea }) => idea) };
}
