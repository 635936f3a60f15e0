import type { Declared, Handled, Schema, Shape, Stated } from '../declared.ts';
import { any } from '../guards/any.ts';
import type { Caller } from '../guards/guard.ts';
import { mountEach } from '../mount.ts';
import { receiveExchange } from '../receive.ts';
import type { Principal } from '../../principal.ts';

/**
 * A binary answer. With a `fileName` the client keeps it as a file, without one it is shown. Status 200 unless it is a part
 * of the file, or says where the file is.
 */
export type FileAnswer = {
  bytes: Uint8Array | string;
  contentType: string;
  fileName?: string;
  headers?: Record<string, string>;
  status?: 206 | 302;
};

type FileRoute = Declared & { shape: Shape; produces: readonly string[]; handle(request: Handled): Promise<FileAnswer> };

/** Declares a GET route that answers with a file instead of JSON; errors stay `{detail}`. */
export function fileRoute<P extends Schema = undefined, Q extends Schema = undefined, C extends Caller = Principal>(
  declared: Stated<C> & {
    /** Content types it may answer with. */
    produces: readonly string[];
    params?: P;
    query?: Q;
    handle(request: Handled<P, Q, undefined, C>): Promise<FileAnswer>;
  },
): FileRoute {
  return { method: 'GET', guard: any, ...declared, shape: file } as unknown as FileRoute;
}

const file: Shape<FileRoute> = {
  mount: mountEach(async (exchange) => {
    const { declared, reply } = exchange;
    const handled = await receiveExchange(exchange);
    const { bytes, contentType, fileName, headers, status } = await declared.handle(handled);
    declared.guard.confirm?.(handled.principal);
    if (status) reply.status(status);
    if (headers) reply.headers(headers);
    if (fileName) reply.header('content-disposition', attachment(fileName));
    return reply.type(contentType).send(typeof bytes === 'string' ? bytes : Buffer.from(bytes));
  }),
  describe: ({ produces }) => ({
    responses: {
      200: {
        description: 'The file',
        content: Object.fromEntries(produces.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
      },
    },
  }),
};

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
