import { hostname } from 'node:os';
import { z } from 'zod';
import type { Needs } from '#platform/context.ts';
import { everyone } from '#platform/http/guards/everyone.ts';
import { pageRoute } from '#platform/http/shapes/page.ts';
import { route } from '#platform/http/shapes/json.ts';
import { frontPage, type Installation } from './front-page.ts';
import { statusPage, type Status } from './status-page.ts';

const Deployment = { version: z.string(), git_sha: z.string(), deployed_at_utc: z.iso.datetime() };
const DATABASE_PATIENCE_MS = 2000;

/** @param routes the registry as it answers, read when it is asked for */
export const healthRoutes = (routes: () => Status['routes']) => [
  route({
    method: 'GET',
    path: '/health',
    summary: 'Whether the service and its database answer',
    guard: everyone,
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
    guard: everyone,
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

/** `GET /`: what runs here, for whoever opens the bare address. */
export const frontPageRoute = pageRoute({
  path: '/',
  summary: 'What runs here and where to read on',
  responses: {
    200: z.object({
      name: z.string(),
      version: z.string(),
      description: z.string(),
      reference: z.url(),
      openapi: z.url(),
      status: z.url(),
      command_line: z.string(),
    }),
  },
  async show({ ctx: { config } }) {
    const { baseUrl } = config.http;
    const installation: Installation = {
      name: 'Groundwork',
      version: config.version,
      description: 'Turns a product idea into evidence, a plan and code.',
      reference: `${baseUrl}/docs`,
      openapi: `${baseUrl}/openapi.json`,
      status: `${baseUrl}/status`,
      command_line: `npx groundwork research "an app that …" --url ${baseUrl}`,
    };
    return {
      json: installation,
      html: () => frontPage(installation),
      headers: {
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      },
    };
  },
});

const deploymentOf = ({ config }: Needs<'config'>) => ({ version: config.version, git_sha: config.gitSha, deployed_at_utc: config.startedAt });

async function probe({ database }: Needs<'database'>): Promise<'ok' | 'unreachable'> {
  const tooLong = new Promise<'unreachable'>((resolve) => setTimeout(() => resolve('unreachable'), DATABASE_PATIENCE_MS).unref());
  const answer = database.ping().then(
    () => 'ok' as const,
    () => 'unreachable' as const,
  );
  return Promise.race([answer, tooLong]);
}
