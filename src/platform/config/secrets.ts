import type { Env } from './env.ts';
import { ConfigError } from './read-values.ts';

/** 32 bytes that encrypt stored provider keys; undefined means a key file in the data folder. */
export function readSecretsKey(env: Env): Buffer | undefined {
  const text = env['SECRETS_KEY'];
  if (!text) return undefined;
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== 32) throw new ConfigError('SECRETS_KEY must be 32 bytes, in base64 or as 64 hex characters.');
  return key;
}
