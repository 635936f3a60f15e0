import { z } from 'zod';
import type { Client } from './client.ts';
import { CommandError } from './command.ts';

const Detail = z.object({
  state: z.string(),
  description: z.string(),
  research_count: z.int(),
  graph_count: z.int(),
  recent_research: z.array(z.object({ status: z.string() })),
});

/** Deletes a project that a refused text has made, so that nothing of it is left; not one that holds anything else. */
export async function removeEmptyProject(client: Client, projectId: string, signal: AbortSignal): Promise<void> {
  const path = `/projects/${encodeURIComponent(projectId)}`;
  try {
    const project = await client.readOwn(path, Detail, signal);
    const failed = project.recent_research.filter(({ status }) => status === 'failed').length;
    const isEmpty = project.state === 'draft' && project.description === '' && project.graph_count === 0 && failed === project.research_count;
    if (isEmpty) await client.remove(path, z.unknown(), signal);
  } catch (error) {
    // What the user is to be told is why the text was refused.
    if (!(error instanceof CommandError)) throw error;
  }
}
