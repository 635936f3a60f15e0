import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { projectChannel } from './events.ts';
import { deleteUntouched, touchedAt } from './project-store.ts';

/** A project as a request left it that made it for something else. */
export type MadeProject = { id: string; touchedAt: string };

/** Notes a project that was just made, at the end of the transaction that made it. */
export const noteProject = async (tx: Tx, id: string): Promise<MadeProject> => ({ id, touchedAt: await touchedAt(tx, id) });

/** Removes a project when what it was made for came to nothing, unless somebody touched it since; false then. */
export async function takeBackProject({ streams }: Needs<'streams'>, tx: Tx, made: MadeProject): Promise<boolean> {
  if (!(await deleteUntouched(tx, made.id, made.touchedAt))) return false;
  await streams.remove(tx, projectChannel(made.id));
  return true;
}
