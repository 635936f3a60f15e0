import { newId } from '#lib/ids.ts';
import { researchStream } from '../../src/features/research/events.ts';
import { call, newCaller, type Client } from './client.ts';
import type { InProcess } from './in-process.ts';

export type OpenStream = { jobId: string; key: string; url: string };

/** Research jobs that nobody works, with open streams: events can be written to them and followed over HTTP. */
export async function openStreams({ url, ctx, database }: InProcess, count: number): Promise<{ caller: Client; streams: OpenStream[] }> {
  const caller = await newCaller(url);
  const { body } = await call(caller, 'POST', '/projects', { body: { title: 'A place for measured streams' } });
  const streams = Array.from({ length: count }, () => {
    const jobId = newId();
    return { jobId, key: researchStream(jobId), url: `${url}/research/${jobId}/events` };
  });
  await database.query(
    `insert into research_jobs (id, user_id, idea, idea_key, mode, status)
       select id::uuid, $2, 'measured', id, 'market', 'running' from unnest($1::text[]) as id`,
    [streams.map(({ jobId }) => jobId), String(body['user_id'])],
  );
  await ctx.db.transaction().execute(async (tx) => {
    for (const { key } of streams) await ctx.streams.open(tx, key);
  });
  return { caller, streams };
}
