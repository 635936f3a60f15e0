import type { z } from 'zod';
import type { AuthMode, Declared, Handled, Limit } from './route.ts';

/** A binary answer. With a `fileName` the client keeps it as a file, without one it is shown. */
export type FileAnswer = { bytes: Uint8Array | string; contentType: string; fileName?: string; headers?: Record<string, string> };

type Schema = z.ZodType | undefined;

export type FileRoute = Declared & {
  kind: 'file';
  /** Content types it may answer with. */
  produces: readonly string[];
  handle(request: Handled<Schema, Schema, Schema, AuthMode>): Promise<FileAnswer>;
};

/** Declares a GET route that answers with a file instead of JSON; errors stay `{detail}`. */
export function fileRoute<P extends Schema = undefined, Q extends Schema = undefined, A extends AuthMode = 'required'>(declared: {
  path: string;
  summary: string;
  produces: readonly string[];
  auth?: A;
  params?: P;
  query?: Q;
  limit?: Limit;
  client?: string;
  handle(request: Handled<P, Q, undefined, A>): Promise<FileAnswer>;
}): FileRoute {
  return { method: 'GET', auth: 'required', ...declared, kind: 'file' } as unknown as FileRoute;
}

/** The header that names a file (RFC 6266): plain ASCII for old clients, UTF-8 for the others. */
export function attachment(fileName: string): string {
  const plain = fileName
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(/["\\%]/g, '')
    .trim();
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain || 'file'}"; filename*=UTF-8''${encoded}`;
}
