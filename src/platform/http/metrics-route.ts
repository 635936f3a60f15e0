import type { FastifyInstance } from 'fastify';
import { unauthenticated } from '../../lib/errors.ts';
import type { AppContext } from '../context.ts';
import { isSameSecret } from './guards/same-secret.ts';

/** `GET /metrics` in Prometheus' text format; with a token only for who presents it as a bearer. */
export function metricsRoute(server: FastifyInstance, { registry }: AppContext['metrics'], token: string | undefined): void {
  server.get('/metrics', async (request, reply) => {
    if (token !== undefined && !isSameSecret(presentedIn(request.headers.authorization), token))
      throw unauthenticated('The metrics need their bearer token');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Empty where no bearer is presented. */
const presentedIn = (authorization: string | undefined): string => /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1] ?? '';
