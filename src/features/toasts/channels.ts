import { briefChannel, findOwnedBrief } from '#features/briefs';
import { findOwnedGraph, graphStream } from '#features/build-graphs';
import { findOwnedProject, projectChannel } from '#features/projects';
import type { Needs } from '#platform/context.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { NewEvent } from '#platform/streams/event-log.ts';

type Channel = {
  /** The event log behind the channel of one thing. */
  keyOf(id: string): string;
  isOwned(db: Db, userId: string, id: string): Promise<boolean>;
};

/** What can be watched, and how. */
export const CHANNELS = {
  project: { keyOf: projectChannel, isOwned: async (db, userId, id) => (await findOwnedProject(db, userId, id)) !== null },
  brief: { keyOf: briefChannel, isOwned: async (db, userId, id) => (await findOwnedBrief(db, userId, id)) !== null },
  build: { keyOf: graphStream, isOwned: async (db, userId, id) => (await findOwnedGraph(db, userId, id)) !== null },
} as const satisfies Record<string, Channel>;

export type ChannelName = keyof typeof CHANNELS;

/**
 * Adds an event to the channel of one thing, in the transaction of what it tells of; gives its number.
 * @throws SupersededError when the thing is gone
 */
export const appendChannelEvent = ({ streams }: Needs<'streams'>, tx: Tx, channel: ChannelName, id: string, event: NewEvent): Promise<number> =>
  streams.append(tx, CHANNELS[channel].keyOf(id), [event]);
