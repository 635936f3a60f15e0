import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer that is the same for everybody: its bytes are made once and shared by all requests. */
export type SharedAnswer = { bytes: Buffer; contentType: string; etag: string };

export function shareAnswer(content: Buffer | string, contentType: string): SharedAnswer {
  const bytes = Buffer.from(content);
  return { bytes, contentType, etag: etagOf(bytes) };
}

/** A tag that is another one whenever the bytes are. */
export const etagOf = (bytes: Buffer | string): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** Sends a shared answer, or 304 to a client that names its tag (RFC 9110, section 13.1.2). */
export function sendShared(request: FastifyRequest, reply: FastifyReply, { bytes, contentType, etag }: SharedAnswer): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'no-cache');
  if (isNamed(etag, request.headers['if-none-match'])) return reply.status(304).send();
  return reply.type(contentType).send(bytes);
}

/** Whether `If-None-Match` names this tag. */
export const isNamed = (etag: string, tags: string | undefined): boolean =>
  tags !== undefined && tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
