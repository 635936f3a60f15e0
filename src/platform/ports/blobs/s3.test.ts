import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openS3Server, s3Signature } from '#testing/s3-server.ts';
import { openGuardedFetch } from '../guarded-fetch/built-in.ts';
import { BlobFailed } from './port.ts';
import { s3Blobs } from './s3.ts';

const server = await openS3Server();
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => void (server.faults.length = 0));

const fetchTo = (endpoint: string) => openGuardedFetch({ allow: [], deny: [], allowPrivate: [endpoint] });
const blobs = s3Blobs(fetchTo(server.service.endpoint), server.service);
const BYTES = Buffer.from('RIFF and so on');

describe('the signature that the server holds others to', () => {
  it('is that of the example in the specification', () => {
    // Example: a presigned URL of GET /test.txt, https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
    const asked = {
      method: 'GET',
      path: '/test.txt',
      query: [
        ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
        ['X-Amz-Credential', 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'],
        ['X-Amz-Date', '20130524T000000Z'],
        ['X-Amz-Expires', '86400'],
        ['X-Amz-SignedHeaders', 'host'],
      ] as [string, string][],
      headers: { host: 'examplebucket.s3.amazonaws.com' },
      payloadHash: 'UNSIGNED-PAYLOAD',
    };
    expect(s3Signature(asked, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', { date: '20130524T000000Z', region: 'us-east-1' })).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });
});

describe('blobs in a bucket', () => {
  it('are put with their type, had under a signed address of the bucket, and removed, more than once', async () => {
    const key = 'sessions/a b'.replace(' ', '_') + '.m4a';
    await blobs.put(key, { bytes: BYTES, contentType: 'audio/x-m4a' });
    expect(server.objects.get(key)).toEqual({ bytes: BYTES, contentType: 'audio/x-m4a' });
    const url = await blobs.sign(key, 300);
    expect(url.startsWith(`${server.service.endpoint}/recordings/${key}?`)).toBe(true);
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('300');
    expect(url).not.toContain(server.service.secretAccessKey);
    const got = await fetch(url);
    expect(got.status).toBe(200);
    expect(Buffer.from(await got.arrayBuffer())).toEqual(BYTES);
    await blobs.remove(key);
    await blobs.remove(key);
    expect(server.objects.has(key)).toBe(false);
  });

  it('are not had when anything of the address is changed', async () => {
    await blobs.put('one.wav', { bytes: BYTES, contentType: 'audio/wav' });
    await blobs.put('two.wav', { bytes: BYTES, contentType: 'audio/wav' });
    const url = await blobs.sign('one.wav', 300);
    for (const changed of [
      url.replace('one.wav', 'two.wav'),
      url.replace('Expires=300', 'Expires=301'),
      url.slice(0, -1) + (url.endsWith('0') ? '1' : '0'),
    ]) {
      expect((await fetch(changed)).status).toBe(403);
    }
  });

  it('sign many at once, each rightly', async () => {
    await blobs.put('many.wav', { bytes: BYTES, contentType: 'audio/wav' });
    const urls = await Promise.all(Array.from({ length: 20 }, () => blobs.sign('many.wav', 300)));
    expect((await Promise.all(urls.map((url) => fetch(url)))).map(({ status }) => status)).toEqual(urls.map(() => 200));
  });

  it('say where their addresses lead', () => {
    expect(blobs.origin).toBe(server.service.endpoint);
  });

  it.each(['../up', 'a//b', '/root', 'a/../b', 'a/./b', '', 'x'.repeat(501), 'a b', 'a\0b'])('refuse the key %j', async (key) => {
    for (const refused of [() => blobs.put(key, { bytes: BYTES, contentType: 'audio/wav' }), () => blobs.remove(key), () => blobs.sign(key, 300)]) {
      await expect(refused()).rejects.toBeInstanceOf(BlobFailed);
    }
  });

  it('fail with a sentence that tells the status and no key, when the store refuses or is gone', async () => {
    server.faults.push(503);
    const failed = await blobs.put('a.wav', { bytes: BYTES, contentType: 'audio/wav' }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(BlobFailed);
    expect(String(failed)).toContain('503');
    const wrong = s3Blobs(fetchTo(server.service.endpoint), { ...server.service, secretAccessKey: 'another-secret-key' });
    await expect(wrong.put('a.wav', { bytes: BYTES, contentType: 'audio/wav' })).rejects.toThrow('status 403');
    const gone = s3Blobs(fetchTo('http://127.0.0.1:9'), { ...server.service, endpoint: 'http://127.0.0.1:9' });
    await expect(gone.remove('a.wav')).rejects.toThrow('the store gave no answer');
  });
});
