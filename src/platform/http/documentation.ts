import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../../lib/errors.ts';
import type { Config } from '../config/config.ts';
import { shareAnswer, sendShared, type SharedAnswer } from './shared-answer.ts';
import { referencePage, REFERENCE_SCRIPT } from './reference-page.ts';
import type { Family } from './declared.ts';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The files of the reference that are not ours, by content type. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': SCRIPT_TYPE,
  'favicon-32x32.png': 'image/png',
};

/** The reference's scripts set styles of their own; nothing is loaded from elsewhere and nobody may frame it. */
const CONTENT_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * `GET /openapi.json`, and a browsable reference at `/docs`. Everything is made when first asked for, since most
 * processes never are, and kept: however many ask, the bytes are in memory once.
 */
export function documentation(server: FastifyInstance, families: readonly Family[], config: Config): void {
  const kept = new Map<string, Promise<SharedAnswer>>();
  const once = (name: string, make: () => Promise<SharedAnswer>): Promise<SharedAnswer> => {
    const answer = kept.get(name) ?? make();
    kept.set(name, answer);
    answer.catch(() => kept.delete(name));
    return answer;
  };

  server.get('/openapi.json', async (request, reply) => {
    const answer = await once('openapi.json', async () => {
      const { openApiDocument } = await import('./openapi.ts');
      return shareAnswer(JSON.stringify(openApiDocument(families, config)), 'application/json; charset=utf-8');
    });
    return sendShared(request, reply, answer);
  });
  server.get('/docs', async (request, reply) => {
    // The page's links are relative, so that it also works below a path of a proxy.
    const up = request.raw.url?.split('?')[0]?.endsWith('/') ? '../' : '';
    const page = await once(`page ${up}`, async () => shareAnswer(referencePage(up), 'text/html; charset=utf-8'));
    return sendShared(request, reply.header('content-security-policy', CONTENT_POLICY), page);
  });
  server.get('/docs/static/reference.js', async (request, reply) =>
    sendShared(request, reply, await once('reference.js', async () => shareAnswer(REFERENCE_SCRIPT, SCRIPT_TYPE))),
  );
  server.get<{ Params: { file: string } }>('/docs/static/:file', async (request, reply) => {
    const { file } = request.params;
    const type = Object.hasOwn(ASSETS, file) ? ASSETS[file] : undefined;
    if (!type) throw notFound('File');
    return sendShared(request, reply, await once(file, async () => shareAnswer(await readFile(assetOf(file)), type)));
  });
}

const assetOf = (file: string): URL => new URL(`static/${file}`, import.meta.resolve('@fastify/swagger-ui'));
