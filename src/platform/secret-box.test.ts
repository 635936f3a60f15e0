import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { secretBox } from './secret-box.ts';
import { givenKeys } from './secret-keys.ts';

describe('a secret box', () => {
  const key = randomBytes(32);
  const box = secretBox(givenKeys(key));
  const other = secretBox(givenKeys(randomBytes(32)));

  it('opens what it sealed, in the same place alone', () => {
    const sealed = box.seal('a key of a user', 'keys/anna');
    expect(sealed).not.toContain('a key');
    expect(secretBox(givenKeys(key)).open(sealed, 'keys/anna')).toBe('a key of a user');
    expect(() => box.open(sealed, 'keys/bert')).toThrow();
    expect(() => other.open(sealed, 'keys/anna')).toThrow();
    expect(box.open(box.seal('', 'keys/anna'), 'keys/anna')).toBe('');
  });

  it('refuses whatever was changed', () => {
    const sealed = box.seal('a key of a user', 'keys/anna');
    const parts = sealed.split('.');
    expect(parts).toHaveLength(5);
    for (const [place, part] of parts.entries()) {
      for (const changed of ['', part.slice(1), `${part === 'v2' ? 'v3' : part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`]) {
        const broken = parts.with(place, changed).join('.');
        expect(() => box.open(broken, 'keys/anna'), broken).toThrow();
      }
    }
    for (const text of ['', 'v2', 'plain', '.....']) expect(() => box.open(text, 'keys/anna')).toThrow('not a sealed value');
  });

  it('gives the same fingerprint for the same parts under the same key alone', () => {
    const print = box.fingerprint('203.0.113.1', 'a client');
    expect(print).toMatch(/^[0-9a-f]{64}$/);
    expect(secretBox(givenKeys(key)).fingerprint('203.0.113.1', 'a client')).toBe(print);
    const others = [
      box.fingerprint('203.0.113.1a', ' client'),
      box.fingerprint('203.0.113.1', 'a', 'client'),
      other.fingerprint('203.0.113.1', 'a client'),
    ];
    expect(new Set([print, ...others]).size).toBe(4);
    expect(box.isFingerprint(print, '203.0.113.1', 'a client')).toBe(true);
    for (const wrong of [...others, '', 'zz', print.slice(2)]) expect(box.isFingerprint(wrong, '203.0.113.1', 'a client')).toBe(false);
  });
});

describe('a secret box with a key of its own and one from before', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const before = secretBox(givenKeys(old));
  const box = secretBox(givenKeys(fresh, [randomBytes(32), old]));

  it('opens what either sealed, and seals under its own', () => {
    const sealed = before.seal('a key', 'keys/anna');
    expect(box.open(sealed, 'keys/anna')).toBe('a key');
    expect(() => box.open(sealed, 'keys/bert')).toThrow();
    const resealed = box.reseal(sealed, 'keys/anna') ?? '';
    expect(resealed.startsWith(box.keys().prefix)).toBe(true);
    expect(secretBox(givenKeys(fresh)).open(resealed, 'keys/anna')).toBe('a key');
    expect(box.reseal(resealed, 'keys/anna')).toBeNull();
    expect(() => secretBox(givenKeys(fresh)).reseal(sealed, 'keys/anna')).toThrow();
    expect(() => box.reseal(sealed, 'keys/bert')).toThrow();
  });

  it('opens and seals anew what was sealed when values named no key', () => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', old, nonce).setAAD(Buffer.from('keys/anna'));
    const text = Buffer.concat([cipher.update('a key'), cipher.final()]);
    const sealed = ['v1', ...[nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
    for (const each of [before, box]) expect(each.open(sealed, 'keys/anna')).toBe('a key');
    expect(() => box.open(sealed, 'keys/bert')).toThrow();
    expect(box.open(box.reseal(sealed, 'keys/anna') ?? '', 'keys/anna')).toBe('a key');
  });

  it('knows fingerprints that the earlier one made', () => {
    expect(box.fingerprint('code', '123456')).not.toBe(before.fingerprint('code', '123456'));
    expect(box.isFingerprint(before.fingerprint('code', '123456'), 'code', '123456')).toBe(true);
    expect(box.isFingerprint(before.fingerprint('code', '123456'), 'code', '123457')).toBe(false);
  });
});
