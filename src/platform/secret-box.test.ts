import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { secretBox } from './secret-box.ts';

describe('a secret box', () => {
  const key = randomBytes(32);
  const box = secretBox(key);

  it('opens what it sealed, in the same place alone', () => {
    const sealed = box.seal('a key of a user', 'keys/anna');
    expect(sealed).not.toContain('a key');
    expect(secretBox(key).open(sealed, 'keys/anna')).toBe('a key of a user');
    expect(() => box.open(sealed, 'keys/bert')).toThrow();
    expect(() => secretBox(randomBytes(32)).open(sealed, 'keys/anna')).toThrow();
  });

  it('gives the same fingerprint for the same parts under the same key alone', () => {
    const print = box.fingerprint('203.0.113.1', 'a client');
    expect(print).toMatch(/^[0-9a-f]{64}$/);
    expect(secretBox(key).fingerprint('203.0.113.1', 'a client')).toBe(print);
    const others = [
      box.fingerprint('203.0.113.1a', ' client'),
      box.fingerprint('203.0.113.1', 'a', 'client'),
      secretBox(randomBytes(32)).fingerprint('203.0.113.1', 'a client'),
    ];
    expect(new Set([print, ...others]).size).toBe(4);
  });
});
