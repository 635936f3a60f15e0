import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Declared, Family, Mounted, Placed, Shape } from './declared.ts';
import type { Exchange } from './receive.ts';

/** Puts every declared route on the server, shape by shape; `{name}` in a path becomes `:name`. */
export function mount(server: FastifyInstance, families: readonly Family[], needs: Mounted): void {
  const placed = families.flatMap(({ routes }) => routes).flatMap((declared) => pathsOf(declared).map((path) => ({ url: urlOf(path), declared })));
  for (const [shape, routes] of Map.groupBy(placed, ({ declared }) => declared.shape)) shape.mount(server, routes, needs);
}

/** Every path that a route answers at. */
export const pathsOf = (declared: Declared): string[] => [declared.path, ...(declared.aliases ?? [])];

const urlOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

type Answering<R extends Declared> = (exchange: Exchange<R>) => Promise<FastifyReply>;

/** Mounts routes of which each answers its requests with one function. */
export const mountEach =
  <R extends Declared>(answer: Answering<R>): Shape<R>['mount'] =>
  (server, routes, needs) => {
    for (const each of routes) mountOne(server, each, needs, answer);
  };

/** Mounts one such route. @param bodyLimit bytes of its body, where they are not those of the server */
export function mountOne<R extends Declared>(
  server: FastifyInstance,
  { url, declared }: Placed<R>,
  needs: Mounted,
  answer: Answering<R>,
  bodyLimit?: number,
): void {
  server.route({
    method: declared.method,
    url,
    exposeHeadRoute: false,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    handler: (request, reply) => answer({ declared, needs, request, reply }),
  });
}
