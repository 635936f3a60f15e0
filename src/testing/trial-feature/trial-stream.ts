import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { perUser } from '#platform/http/route-limits.ts';
import { postStreamRoute } from '#platform/http/shapes/stream.ts';

/** Answers a text word by word. @param wordsOf gives the words as they come, until `signal` aborts */
export const trialStream = (wordsOf: (text: string, signal: AbortSignal) => AsyncIterable<string>) =>
  postStreamRoute({
    path: '/trial/chat',
    summary: 'Answers word by word',
    limit: perUser(20),
    body: z.object({ text: z.string().max(1000), session_id: z.uuid().nullish() }),
    async *events({ body, requestId, signal }) {
      if (body.session_id) throw notFound('Session');
      yield { event: 'stream_start', data: { request_id: requestId } };
      for await (const text of wordsOf(body.text, signal)) yield { event: 'message_delta', data: { text } };
    },
  });
