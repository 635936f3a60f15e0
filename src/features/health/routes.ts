import { hostname } from 'node:os';
import { z } from 'zod';
import type { Needs } from '#platform/context.ts';
import { pageRoute } from '#platform/http/page-route.ts';
import { route } from '#platform/http/route.ts';
import { statusPage, type Status } from './status-page.ts';

const Deployment = { version: z.string(), git_sha: z.string(), deployed_at_utc: z.iso.datetime() };
const DATABASE_PATIENCE_MS = 2000;

/** @param routes the registry as it answers, read when it is asked for */
export const healthRoutes = (routes: () => Status['routes']) => [
  route({
    method: 'GET',
    path: '/health',
    summary: 'Whether the service and its database answer',
    auth: 'public',
    client: 'operators',
    responses: { 200: z.object({ status: z.enum(['ok', 'degraded']), database: z.enum(['ok', 'unreachable']), deployment: z.object(Deployment) }) },
    async handle({ ctx }, reply) {
      const database = await probe(ctx);
      return reply(200, { status: database === 'ok' ? 'ok' : 'degraded', database, deployment: deploymentOf(ctx) });
    },
  }),
  route({
    method: 'GET',
    path: '/version',
    summary: 'What is deployed; answers without the database',
    auth: 'public',
    client: 'operators',
    responses: { 200: z.object({ ...Deployment, hostname: z.string() }) },
    async handle({ ctx }, reply) {
      return reply(200, { ...deploymentOf(ctx), hostname: hostname() });
    },
  }),
  pageRoute({
    path: '/status',
    summary: 'Status and the list of routes, as a page or as JSON',
    client: 'operators',
    responses: {
      200: z.object({
        api_status: z.string(),
        database: z.string(),
        route_count: z.int(),
        routes: z.array(z.object({ method: z.string(), path: z.string(), auth: z.string(), client: z.string() })),
      }),
    },
    async show({ ctx }) {
      const database = await probe(ctx);
      const list = routes();
      const status: Status = { api_status: database === 'ok' ? 'ok' : 'degraded', database, route_count: list.length, routes: list };
      return { json: status, html: () => statusPage(status) };
    },
  }),
];

const deploymentOf = ({ config }: Needs<'config'>) => ({ version: config.version, git_sha: config.gitSha, deployed_at_utc: config.startedAt });

async function probe({ database }: Needs<'database'>): Promise<'ok' | 'unreachable'> {
  const tooLong = new Promise<'unreachable'>((resolve) => setTimeout(() => resolve('unreachable'), DATABASE_PATIENCE_MS).unref());
  const answer = database.ping().then(
    () => 'ok' as const,
    () => 'unreachable' as const,
  );
  return Promise.race([answer, tooLong]);
}
