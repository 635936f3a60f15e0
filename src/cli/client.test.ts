import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openClient } from './client.ts';
import { readLines } from './read-lines.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

const QUICK = { pausesMs: [1, 1, 1] };
const never = new AbortController().signal;
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A service of one's own: `answer` gets everything but sign-ins, of which it counts the tokens. */
async function serve(answer: Answer): Promise<{ url: string; signIns: () => number }> {
  let signIns = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service');
    if (url.pathname !== '/auth/anonymous') return answer(request, response, url);
    signIns += 1;
    return json(response, 200, { token: `token-${signIns}`, expires_in: 1800 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, signIns: () => signIns };
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const lineOf = (seq: number, event = 'progress'): string => `${JSON.stringify({ v: 1, event, data: { message: `${seq} ü` }, seq })}\n`;

async function followed(url: string): Promise<{ seqs: (number | undefined)[]; lost: number }> {
  const seqs: (number | undefined)[] = [];
  let lost = 0;
  for await (const line of openClient(url, 'device', QUICK).follow('/research/job/events', never)) {
    if ('attempt' in line) lost += 1;
    else if (line.event !== 'stream_start') seqs.push(line.seq);
  }
  return { seqs, lost };
}

describe('following a research', () => {
  it('gets every event once and in order although connections break, also in the middle of a line', async () => {
    const cursors: number[] = [];
    const { url } = await serve((_request, response, { searchParams }) => {
      const cursor = Number(searchParams.get('cursor'));
      cursors.push(cursor);
      expect(searchParams.get('include_seq')).toBe('true');
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"v":1,"event":"stream_start","data":{}}\n');
      if (cursor === 0) return response.write(lineOf(1) + lineOf(2) + lineOf(3).slice(0, 20), () => response.destroy());
      // Ends orderly but without "done", and repeats an event that was seen.
      if (cursor === 2) return response.end(lineOf(2) + lineOf(3) + lineOf(4));
      return response.end(lineOf(5) + lineOf(6, 'done'));
    });
    expect(await followed(url)).toEqual({ seqs: [1, 2, 3, 4, 5, 6], lost: 2 });
    expect(cursors).toEqual([0, 2, 4]);
  });

  it('puts lines together whose bytes come apart, and drops what is left of a last one', async () => {
    const bytes = new TextEncoder().encode(`{"ü":1}\n\n{"予":2}\n{"cut`);
    const body = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
    const lines: string[] = [];
    for await (const line of readLines(body)) lines.push(line);
    expect(lines).toEqual(['{"ü":1}', '{"予":2}']);
  });

  it('signs in again when the session ended, and gives up when that does not help', async () => {
    const { url, signIns } = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer token-1') return json(response, 401, { detail: 'Token expired' });
      return response.end(lineOf(1, 'done'));
    });
    expect((await followed(url)).seqs).toEqual([1]);
    expect(signIns()).toBe(2);
    const closed = await serve((_request, response) => json(response, 401, { detail: 'Token expired' }));
    await expect(followed(closed.url)).rejects.toThrow(/did not accept the sign-in \(Token expired\): try again in a minute\./);
  });

  it('says so when the service stays away', async () => {
    let connections = 0;
    const { url } = await serve((_request, response) => {
      connections += 1;
      response.destroy();
    });
    await expect(followed(url)).rejects.toThrow(/was lost and could not be made again/);
    expect(connections).toBe(1 + QUICK.pausesMs.length);
  });

  it('does not try again what is refused for good', async () => {
    let asked = 0;
    const { url } = await serve((_request, response) => {
      asked += 1;
      json(response, 404, { detail: 'Research job not found' });
    });
    await expect(followed(url)).rejects.toThrow('The service refused: Research job not found.');
    expect(asked).toBe(1);
  });

  it('stops when it is told to', async () => {
    const { url } = await serve((_request, response) => void response.write(lineOf(1)));
    const stop = new AbortController();
    const reading = (async () => {
      for await (const line of openClient(url, 'device', QUICK).follow('/research/job/events', stop.signal))
        if (!('attempt' in line)) stop.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
  });
});

describe('starting a research', () => {
  const request = { idea: 'Booking for groomers', mode: 'market' } as const;

  it('tries again under the same key when the connection breaks', async () => {
    const keys: unknown[] = [];
    const { url } = await serve((incoming, response) => {
      keys.push(incoming.headers['idempotency-key']);
      if (keys.length === 1) return response.destroy();
      return json(response, 200, { project_id: 'project', job_id: 'job', status: 'in_progress' });
    });
    expect(await openClient(url, 'device', QUICK).startResearch(request, never)).toEqual({
      project_id: 'project',
      job_id: 'job',
      status: 'in_progress',
    });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('says when to come back after too many requests', async () => {
    const { url } = await serve((_request, response) => json(response, 429, { detail: 'Rate limit exceeded.' }, { 'retry-after': '42' }));
    await expect(openClient(url, 'device', QUICK).startResearch(request, never)).rejects.toThrow(
      /Too many requests: try again in 42 s, at \d\d:\d\d:\d\d\./,
    );
  });

  it('tells at once that nothing answers, or that it is something else', async () => {
    await expect(openClient('http://127.0.0.1:1', 'device').startResearch(request, never)).rejects.toThrow(
      /No service can be reached at http:\/\/127\.0\.0\.1:1/,
    );
    const page = await serve((_request, response) => response.end('<html>'));
    await expect(openClient(page.url, 'device', QUICK).startResearch(request, never)).rejects.toThrow(/does not speak this version's interface/);
  });
});
