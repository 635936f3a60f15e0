import { fastify, type FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Family } from './registry.ts';

/** `GET /openapi.json`, and a browsable reference at `/docs`. Made when first asked for: most processes never are. */
export function documentation(server: FastifyInstance, families: readonly Family[], config: Config): void {
  let document: Promise<Record<string, unknown>> | undefined;
  const describe = () => (document ??= import('./openapi.ts').then(({ openApiDocument }) => openApiDocument(families, config)));
  server.get('/openapi.json', async (_request, reply) => reply.send(await describe()));

  let reference: Promise<FastifyInstance> | undefined;
  for (const path of ['/docs', '/docs/*']) {
    server.get(path, async (request, reply) => {
      reference ??= describe().then(openReference);
      const { routing } = await reference;
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
      reply.hijack();
      routing(request.raw, reply.raw);
    });
  }
}

/** A server of its own, since routes cannot be added to one that already answers. */
async function openReference(document: Record<string, unknown>): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([import('@fastify/swagger'), import('@fastify/swagger-ui')]);
  const reference = fastify({ logger: false });
  await reference.register(swagger, { mode: 'static', specification: { document: document as never } });
  await reference.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // The bar at the top is for looking at other services.
    theme: { title: 'Groundwork: reference', css: [{ filename: 'reference.css', content: '.swagger-ui .topbar { display: none }' }] },
  });
  await reference.ready();
  return reference;
}
