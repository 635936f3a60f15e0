import { createHash, createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { BlobService } from '#platform/config/blobs.ts';

export type S3Server = AsyncDisposable & {
  service: BlobService;
  /** By key: the bytes and the content type that they came with. */
  objects: Map<string, { bytes: Buffer; contentType: string }>;
  /** Statuses of the next requests, in order. */
  faults: number[];
};

type Asked = { method: string; path: string; query: readonly [string, string][]; headers: Readonly<Record<string, string>>; payloadHash: string };
type Scope = { date: string; region: string };

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The signature of a request to S3, as the specification computes it
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html).
 * @param asked path as it was sent; of headers those that are signed
 */
export function s3Signature({ method, path, query, headers, payloadHash }: Asked, secret: string, { date, region }: Scope): string {
  const names = Object.keys(headers).toSorted();
  const sorted = query.map(([name, value]) => [encoded(name), encoded(value)] as const).toSorted(([left], [right]) => (left < right ? -1 : 1));
  const canonical = [
    method,
    path,
    sorted.map((pair) => pair.join('=')).join('&'),
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n');
  const day = date.slice(0, 8);
  const toSign = ['AWS4-HMAC-SHA256', date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>((secretKey, part) => hmac(secretKey, part), `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
}

/** A bucket on a free port of 127.0.0.1 that takes no request whose signature is not right, in its header or its query. */
export async function openS3Server(): Promise<S3Server> {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      const asked = {
        method: request.method ?? '',
        path: url.pathname,
        query: [...url.searchParams],
        headers: request.headers as Record<string, string>,
      };
      const fault = state.faults.shift();
      if (fault) return refuse(response, fault, 'InternalError');
      if (!isSigned(asked, body, state.service)) return refuse(response, 403, 'SignatureDoesNotMatch');
      answer(
        asked.method,
        decodeURIComponent(url.pathname.slice('/recordings/'.length)),
        { body, contentType: asked.headers['content-type'] ?? '' },
        response,
      );
    });
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const state: S3Server = {
    service: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'recordings',
      region: 'eu-central-1',
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'the-secret-key-of-the-bucket',
    },
    objects: new Map(),
    faults: [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  const answer = (method: string, key: string, { body, contentType }: { body: Buffer; contentType: string }, response: ServerResponse): void => {
    if (method === 'PUT') {
      state.objects.set(key, { bytes: body, contentType });
      return void response.writeHead(200, { etag: `"${sha256(body).slice(0, 32)}"` }).end();
    }
    if (method === 'DELETE') {
      state.objects.delete(key);
      return void response.writeHead(204).end();
    }
    const found = state.objects.get(key);
    if (!found) return refuse(response, 404, 'NoSuchKey');
    response.writeHead(200, { 'content-type': found.contentType }).end(found.bytes);
  };
  return state;
}

const refuse = (response: ServerResponse, status: number, code: string): void =>
  void response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);

function isSigned(asked: Omit<Asked, 'payloadHash'>, body: Buffer, { secretAccessKey, region }: BlobService): boolean {
  const signed = (names: string) => Object.fromEntries(names.split(';').map((name) => [name, asked.headers[name] ?? '']));
  const query = new Map(asked.query);
  const inQuery = query.get('X-Amz-Signature');
  if (inQuery !== undefined) {
    const date = query.get('X-Amz-Date') ?? '';
    const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (Date.now() > at + Number(query.get('X-Amz-Expires')) * 1000) return false;
    const rest = asked.query.filter(([name]) => name !== 'X-Amz-Signature');
    const headers = signed(query.get('X-Amz-SignedHeaders') ?? '');
    return s3Signature({ ...asked, query: rest, headers, payloadHash: 'UNSIGNED-PAYLOAD' }, secretAccessKey, { date, region }) === inQuery;
  }
  const [, names = '', signature] = /SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/.exec(asked.headers['authorization'] ?? '') ?? [];
  const payloadHash = asked.headers['x-amz-content-sha256'] ?? '';
  if (payloadHash !== 'UNSIGNED-PAYLOAD' && payloadHash !== sha256(body)) return false;
  return (
    s3Signature({ ...asked, headers: signed(names), payloadHash }, secretAccessKey, { date: asked.headers['x-amz-date'] ?? '', region }) === signature
  );
}
