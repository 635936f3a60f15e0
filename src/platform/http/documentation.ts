import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Family } from './registry.ts';

/** `GET /openapi.json`, and a browsable reference at `/docs`. Made when first asked for: most processes never are. */
export async function documentation(server: FastifyInstance, families: readonly Family[], config: Config): Promise<void> {
  let document: Record<string, unknown> | undefined;
  const describe = async () => {
    const { openApiDocument } = await import('./openapi.ts');
    document ??= openApiDocument(families, config);
    return document;
  };
  server.get('/openapi.json', async (_request, reply) => reply.send(await describe()));
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const { default: swagger } = await import('@fastify/swagger');
  await server.register(swagger, { mode: 'static', specification: { document: (await describe()) as never } });
  await server.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
}
