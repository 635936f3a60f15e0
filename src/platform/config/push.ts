import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Env } from './env.ts';
import { checkUrl, ConfigError } from './read-values.ts';

/** How pushes reach devices; `apns` undefined: those for phones are kept here instead of sent. */
export type PushConfig = {
  apns: ApnsConfig | undefined;
  /** The key that signs pushes to browsers; undefined: one that is made once and kept in the database. */
  vapidKey: Buffer | undefined;
  /** Whom push services of browsers may write to, as a URL. */
  contact: string | undefined;
};

/** `baseUrl` undefined: Apple's own hosts. */
export type ApnsConfig = { baseUrl: string | undefined; key: KeyObject; keyId: string; teamId: string; topic: string };

const NEEDED = ['PUSH_KEY', 'PUSH_KEY_ID', 'PUSH_TEAM_ID', 'PUSH_TOPIC'] as const;

export function readPush(env: Env, baseUrl: string): PushConfig {
  return { apns: readApns(env), vapidKey: readVapidKey(env), contact: readContact(env, baseUrl) };
}

function readApns(env: Env): ApnsConfig | undefined {
  const missing = NEEDED.filter((name) => !env[name]);
  const baseUrl = env['PUSH_BASE_URL']?.replace(/\/+$/, '');
  if (missing.length === NEEDED.length && !baseUrl) return undefined;
  const [PUSH_KEY = '', PUSH_KEY_ID = '', PUSH_TEAM_ID = '', PUSH_TOPIC = ''] = NEEDED.map((name) => env[name]);
  if (missing.length > 0) throw new ConfigError(`Pushes to phones need ${missing.join(', ')} as well.`);
  if (baseUrl) checkUrl('PUSH_BASE_URL', baseUrl);
  if (!/^[\w.-]{1,255}$/.test(PUSH_TOPIC)) throw new ConfigError('PUSH_TOPIC must be the bundle id of the app, such as com.example.app.');
  return { baseUrl, key: readKey(PUSH_KEY), keyId: PUSH_KEY_ID, teamId: PUSH_TEAM_ID, topic: PUSH_TOPIC };
}

function readKey(text: string): KeyObject {
  const wrong = () => new ConfigError('PUSH_KEY must be a private key of the curve P-256 in PEM (PKCS#8); its lines may be joined by \\n.');
  let key: KeyObject;
  try {
    key = createPrivateKey(text.replaceAll('\\n', '\n'));
  } catch {
    throw wrong();
  }
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw wrong();
  return key;
}

function readVapidKey(env: Env): Buffer | undefined {
  const text = env['PUSH_VAPID_KEY'];
  if (!text) return undefined;
  const key = Buffer.from(text, 'base64url');
  if (key.length !== 32) throw new ConfigError('PUSH_VAPID_KEY must be the 32 bytes of a private key of the curve P-256, in base64url.');
  return key;
}

function readContact(env: Env, baseUrl: string): string | undefined {
  const contact = env['PUSH_CONTACT'];
  if (!contact) return baseUrl.startsWith('https:') ? baseUrl : undefined;
  if (!/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(contact)) throw new ConfigError('PUSH_CONTACT must be a mailto: or https: address.');
  return contact;
}
