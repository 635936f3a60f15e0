import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readPush } from './push.ts';

const pem = (curve: string): string => String(generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ type: 'pkcs8', format: 'pem' }));
const whole = { PUSH_KEY: pem('P-256'), PUSH_KEY_ID: 'KEY1234567', PUSH_TEAM_ID: 'TEAM123456', PUSH_TOPIC: 'com.example.app' };

describe('the settings of pushes', () => {
  it('may be none', () => {
    expect(readPush({}, 'http://localhost')).toEqual({ apns: undefined, vapidKey: undefined, contact: undefined });
    expect(readPush({}, 'https://g.example').contact).toBe('https://g.example');
  });

  it('name Apple’s service and the key that signs, in one line or several', () => {
    const { apns } = readPush({ ...whole, PUSH_BASE_URL: 'http://127.0.0.1:9/' }, 'http://localhost');
    expect(apns).toMatchObject({ baseUrl: 'http://127.0.0.1:9', keyId: 'KEY1234567', teamId: 'TEAM123456', topic: 'com.example.app' });
    expect(readPush({ ...whole, PUSH_KEY: whole.PUSH_KEY.replaceAll('\n', '\\n') }, 'http://localhost').apns?.key.asymmetricKeyType).toBe('ec');
  });

  it.each([
    [{ PUSH_KEY: whole.PUSH_KEY }, 'Pushes to phones need PUSH_KEY_ID, PUSH_TEAM_ID, PUSH_TOPIC as well.'],
    [{ PUSH_BASE_URL: 'http://127.0.0.1' }, 'Pushes to phones need PUSH_KEY, PUSH_KEY_ID, PUSH_TEAM_ID, PUSH_TOPIC as well.'],
    [{ ...whole, PUSH_BASE_URL: 'ftp://x' }, 'PUSH_BASE_URL must be an http or https URL; it is "ftp://x".'],
    [{ ...whole, PUSH_KEY: 'nonsense' }, 'PUSH_KEY must be a private key of the curve P-256 in PEM (PKCS#8); its lines may be joined by \\n.'],
    [{ ...whole, PUSH_KEY: pem('P-384') }, 'PUSH_KEY must be a private key of the curve P-256 in PEM (PKCS#8); its lines may be joined by \\n.'],
    [{ ...whole, PUSH_TOPIC: 'a b' }, 'PUSH_TOPIC must be the bundle id of the app, such as com.example.app.'],
    [{ PUSH_VAPID_KEY: 'short' }, 'PUSH_VAPID_KEY must be the 32 bytes of a private key of the curve P-256, in base64url.'],
    [{ PUSH_CONTACT: 'somebody' }, 'PUSH_CONTACT must be a mailto: or https: address.'],
  ])('stop the start where they are half given or wrong: %#', (env, sentence) => {
    expect(() => readPush(env, 'http://localhost')).toThrow(sentence);
  });
});
