import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { wave } from '#testing/wave-form.ts';
import { fileBlobs } from './files.ts';
import { BlobFailed } from './port.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundwork-blobs-'));
const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(async () => {
  await app.dispose();
  rmSync(folder, { recursive: true, force: true });
});
let now = new Date('2026-03-01T12:00:00Z');
const { secrets } = app.ctx;
const blobs = fileBlobs({ secrets, clock: { now: () => now } }, { folder: join(folder, 'blobs'), baseUrl: 'https://service.example' });

const signed = async (key: string, seconds = 300) => {
  const url = new URL(await blobs.sign(key, seconds));
  return { url, key, expires: Number(url.searchParams.get('expires')), signature: url.searchParams.get('signature') ?? '' };
};
const SOUND = { bytes: wave(200), contentType: 'audio/wav' };

describe('blobs in files', () => {
  it('are kept for their owner alone, given under a signed address of this service, and removed, more than once', async () => {
    await blobs.put('sessions/a.wav', SOUND);
    const path = join(folder, 'blobs/sessions/a.wav');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'blobs')).mode & 0o777).toBe(0o700);
    const { url, ...of } = await signed('sessions/a.wav');
    expect(url.href).toMatch(/^https:\/\/service\.example\/blobs\/[\w-]+\?expires=\d+&signature=[0-9a-f]{64}$/);
    expect(Buffer.from(url.pathname.slice('/blobs/'.length), 'base64url').toString()).toBe('sessions/a.wav');
    expect(await blobs.open?.(of)).toEqual({ bytes: SOUND.bytes, contentType: 'audio/wav' });
    await blobs.remove('sessions/a.wav');
    await blobs.remove('sessions/a.wav');
    expect(await blobs.open?.(of)).toBe(null);
    expect(existsSync(path)).toBe(false);
  });

  it('hold for as long as they were signed for', async () => {
    await blobs.put('b.wav', SOUND);
    const of = await signed('b.wav');
    const before = now;
    now = new Date(before.getTime() + 299_000);
    expect(await blobs.open?.(of)).not.toBe(null);
    now = new Date(before.getTime() + 300_000);
    expect(await blobs.open?.(of)).toBe(null);
    now = before;
  });

  it('are not had with another key, another time or another signature', async () => {
    await blobs.put('c.wav', SOUND);
    await blobs.put('d.wav', SOUND);
    const of = await signed('c.wav');
    const flipped = (of.signature.startsWith('0') ? '1' : '0') + of.signature.slice(1);
    for (const changed of [
      { key: 'd.wav' },
      { expires: of.expires + 1 },
      { signature: flipped },
      { signature: '' },
      { signature: of.signature.slice(2) },
    ]) {
      expect(await blobs.open?.({ ...of, ...changed }), JSON.stringify(changed)).toBe(null);
    }
  });

  it('are replaced as a whole, and nothing is left beside them', async () => {
    await blobs.put('e/e.wav', SOUND);
    await blobs.put('e/e.wav', { ...SOUND, bytes: wave(300) });
    expect((await blobs.open?.(await signed('e/e.wav')))?.bytes.length).toBe(300);
    expect(readdirSync(join(folder, 'blobs/e'))).toEqual(['e.wav']);
  });

  it('have the type of their bytes, whatever they were called, and no page is one', async () => {
    await blobs.put('f.html', { ...SOUND, contentType: 'text/html' });
    expect((await blobs.open?.(await signed('f.html')))?.contentType).toBe('audio/wav');
    await blobs.put('g.wav', { bytes: Buffer.from('<script>alert(1)</script>'), contentType: 'audio/wav' });
    expect((await blobs.open?.(await signed('g.wav')))?.contentType).toBe('application/octet-stream');
  });

  it.each(['../up.txt', '..', '.', 'a/../../up.txt', '/etc/passwd', 'a\\..\\b', 'a//b', '', 'a\0b', 'é'])(
    'lead nowhere else with the key %j',
    async (key) => {
      writeFileSync(join(folder, 'up.txt'), 'not a blob');
      for (const refused of [() => blobs.put(key, SOUND), () => blobs.remove(key), () => blobs.sign(key, 300)]) {
        await expect(refused()).rejects.toBeInstanceOf(BlobFailed);
      }
      const expires = Math.floor(now.getTime() / 1000) + 300;
      const signature = secrets.fingerprint('blob', key, String(expires));
      await expect(blobs.open?.({ key, expires, signature })).rejects.toBeInstanceOf(BlobFailed);
    },
  );

  it('fail with a sentence where the folder cannot be written', async () => {
    writeFileSync(join(folder, 'a-file'), '');
    const other = fileBlobs({ secrets, clock: { now: () => now } }, { folder: join(folder, 'a-file'), baseUrl: '' });
    await expect(other.put('a.wav', SOUND)).rejects.toThrow('cannot be written');
  });
});
