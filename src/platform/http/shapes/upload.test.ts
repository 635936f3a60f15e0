import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import { sendRaw } from '#testing/raw-http.ts';
import { wave, waveForm } from '#testing/wave-form.ts';
import { everyone } from '../guards/everyone.ts';
import { uploadRoute } from './upload.ts';

const MOST = 100_000;
const WAVE = { maxBytes: MOST, types: ['audio/wav'] };
const gate = newGate();
const answers = { 200: z.object({ name: z.string(), size: z.int(), same: z.boolean(), more: z.string().nullable() }) };
let calls = 0;
const open = uploadRoute({
  path: '/open',
  summary: 'Takes a recording, and a second one if there is one',
  guard: everyone,
  files: { audio: WAVE, more: { ...WAVE, optional: true } },
  body: z.object({ note: z.string().max(5).optional() }),
  responses: answers,
  async handle({ files: { audio, more }, signal }, reply) {
    calls += 1;
    await gate.pass(signal);
    if (audio.size === 666) throw new Error('the disk is on fire');
    const streamed = Buffer.concat(await audio.stream().toArray());
    return reply(200, { name: audio.name, size: audio.size, same: streamed.equals(await audio.bytes()), more: more?.name ?? null });
  },
});
const guarded = uploadRoute({
  path: '/guarded',
  summary: 'For who is signed in',
  files: { audio: WAVE },
  responses: { 204: z.void() },
  handle: async (_request, reply) => reply(204, undefined),
});
const form = uploadRoute({
  path: '/form/{name}',
  summary: 'A form of a page, without files',
  guard: everyone,
  params: z.object({ name: z.string() }),
  files: {},
  body: z.object({ note: z.string().max(5) }),
  responses: { 200: z.object({ said: z.string() }) },
  page: ({ said }, { params }) => ({ html: `<p>${params.name} ${said}</p>`, headers: { 'cache-control': 'no-store' } }),
  handle: async ({ body }, reply) => reply(200, { said: body.note }),
});
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'test', routes: [open, guarded, form] }] } });
afterAll(() => app.dispose());

/** Files of uploads that this process still has open; Linux alone can tell. */
const heldFiles = (): string[] =>
  process.platform === 'linux'
    ? readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          const file = readlinkSync(`/proc/self/fd/${fd}`);
          return file.includes('groundwork-upload') ? [file] : [];
        } catch {
          return [];
        }
      })
    : [];

const send = async (body: RequestInit['body'], headers: Record<string, string> = {}, path = '/open') => {
  const answer = await fetch(`${app.url}${path}`, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const formOf = (parts: readonly [string, string | Blob, string?][]) => {
  const form = new FormData();
  for (const [name, value, file] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, file);
  }
  return form;
};

const recording = (size: number) => new Blob([new Uint8Array(wave(size))], { type: 'audio/wav' });

describe('an upload', () => {
  it('is taken up to its last allowed byte, under the name that the client gives, without folders', async () => {
    const form = formOf([
      ['audio', recording(MOST), '../../etc/päss.wav'],
      ['more', recording(50), 'b.wav'],
    ]);
    expect(await send(form)).toEqual({ status: 200, body: { name: 'päss.wav', size: MOST, same: true, more: 'b.wav' } });
  });

  it.each([
    ['one byte too many', () => waveForm(MOST + 1), 413, 'audio: at most 100000 bytes'],
    ['far too many bytes', () => waveForm(20_000_000), 413, 'The body is too large'],
    [
      'another type by its bytes',
      () => formOf([['audio', new Blob(['<html><script>1</script>'], { type: 'audio/wav' }), 'a.wav']]),
      415,
      'audio: the type must be one of audio/wav',
    ],
    ['nothing in the file', () => formOf([['audio', new Blob([]), 'a.wav']]), 415, 'audio: the type must be one of audio/wav'],
    ['no file', () => formOf([['note', 'x']]), 400, 'audio: required'],
    ['a text in place of the file', () => formOf([['audio', 'x']]), 400, 'audio: required'],
    [
      'a file that nobody asks for',
      () =>
        formOf([
          ['audio', recording(50)],
          ['other', recording(50)],
        ]),
      400,
      'other: no such file is asked for',
    ],
    [
      'a file twice',
      () =>
        formOf([
          ['audio', recording(50)],
          ['audio', recording(50)],
        ]),
      400,
      'audio: only once',
    ],
    [
      'too many files',
      () =>
        formOf([
          ['audio', recording(50)],
          ['more', recording(50)],
          ['third', recording(50)],
        ]),
      413,
      'The body has too many parts',
    ],
    [
      'a field twice',
      () =>
        formOf([
          ['audio', recording(50)],
          ['note', 'x'],
          ['note', 'y'],
        ]),
      400,
      'note: only once',
    ],
    ['a field that is too long', () => waveForm(50, { note: 'x'.repeat(70_000) }), 413, 'note: at most 65536 bytes'],
    ['a field that its schema refuses', () => waveForm(50, { note: 'xxxxxx' }), 422, expect.stringMatching(/^note: /)],
    [
      'too many fields',
      () => waveForm(50, Object.fromEntries(Array.from({ length: 60 }, (_each, index) => [`f${index}`, 'x']))),
      413,
      'The body has too many parts',
    ],
    ['a field of a hostile name', () => waveForm(50, { __proto__x: 'x', constructor: 'x' }), 400, 'The multipart body is malformed or not whole'],
  ] as const)('with %s is refused', async (_what, body, status, detail) => {
    expect(await send(body())).toEqual({ status, body: { detail } });
    expect(heldFiles()).toEqual([]);
  });

  it('in chunks, without a length, is refused once it is too long, and the client gets to know', async () => {
    const head =
      'POST /open HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n\r\n';
    const part = `--b\r\ncontent-disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n${wave(8_000_000).toString('latin1')}\r\n--b--\r\n`;
    const text = await sendRaw(app.url, `${head}${part.length.toString(16)}\r\n${part}\r\n0\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toContain('audio: at most 100000 bytes');
    expect(heldFiles()).toEqual([]);
  });

  it.each([
    ['JSON', { 'content-type': 'application/json' }, '{}', 415],
    ['nothing', {}, '', 415],
    ['a form without a boundary', { 'content-type': 'multipart/form-data' }, 'x', 400],
    [
      'a form that is cut short',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\ncontent-disposition: form-data; name="audio"; filename="a"\r\n\r\nRIFF',
      400,
    ],
    ['a form that is empty', { 'content-type': 'multipart/form-data; boundary=b' }, '--b--\r\n', 400],
    [
      'a field of JSON',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\ncontent-disposition: form-data; name="note"\r\ncontent-type: application/json\r\n\r\n{"a":1}\r\n--b--\r\n',
      400,
    ],
  ])('that is %s is refused', async (_what, headers, body, status) => {
    const answer = await send(body, headers as Record<string, string>);
    expect([answer.status, Object.keys(answer.body)]).toEqual([status, ['detail']]);
  });

  it('is looked at by the guard before it is read', async () => {
    expect(await send(waveForm(20_000_000), {}, '/guarded')).toMatchObject({ status: 401 });
    const { token } = await app.user();
    const answer = await fetch(`${app.url}/guarded`, { method: 'POST', body: waveForm(50), headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(204);
  });

  it('leaves nothing behind when its client is gone in the middle', async () => {
    const before = calls;
    const connection = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => {});
    connection.write('POST /open HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 90000\r\n\r\n');
    connection.write(`--b\r\ncontent-disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n${wave(40_000).toString('latin1')}`, 'latin1');
    if (process.platform === 'linux') await expect.poll(heldFiles).toHaveLength(1);
    connection.resetAndDestroy();
    await expect.poll(heldFiles).toEqual([]);
    expect(calls).toBe(before);
  });

  it('leaves nothing behind when its client is gone before the answer, or its code fails', async () => {
    const release = gate.close();
    const gone = new AbortController();
    const sent = fetch(`${app.url}/open`, { method: 'POST', body: waveForm(50), signal: gone.signal }).catch(() => 'gone');
    await expect.poll(() => gate.entered()).toBe(1);
    gone.abort();
    expect(await sent).toBe('gone');
    await expect.poll(heldFiles).toEqual([]);
    release();
    expect(await send(waveForm(666))).toEqual({
      status: 500,
      body: { detail: 'Internal error', request_id: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
    expect(heldFiles()).toEqual([]);
  });

  it('is one where it is declared alone: elsewhere a form is not understood', async () => {
    const answer = await fetch(`${app.url}/auth/anonymous`, { method: 'POST', body: formOf([['device_id', 'd']]) });
    expect([answer.status, await answer.json()]).toEqual([400, { detail: 'The body must be JSON with content type application/json' }]);
  });
});

describe('a form of a page', () => {
  const sendForm = async (body: FormData, accept?: string) => {
    const answer = await fetch(`${app.url}/form/Ada`, { method: 'POST', body, headers: accept ? { accept } : {} });
    return [answer.status, answer.headers.get('content-type')?.split(';')[0], await answer.text()];
  };

  it('answers a page to browsers, and JSON to all others', async () => {
    const page = [200, 'text/html', '<p>Ada hello</p>'];
    expect(await sendForm(formOf([['note', 'hello']]), 'text/html,application/xhtml+xml,*/*;q=0.8')).toEqual(page);
    for (const accept of [undefined, 'application/json', '*/*', 'application/json, text/html']) {
      expect(await sendForm(formOf([['note', 'hello']]), accept)).toEqual([200, 'application/json', '{"said":"hello"}']);
    }
  });

  it('is checked like any other, and takes no file', async () => {
    expect((await sendForm(formOf([['note', 'too long']]), 'text/html'))[0]).toBe(422);
    expect((await sendForm(formOf([]), 'text/html'))[0]).toBe(400);
    const file = formOf([
      ['note', 'x'],
      ['file', recording(50), 'a.wav'],
    ]);
    expect((await sendForm(file, 'text/html'))[0]).toBe(413);
  });
});
