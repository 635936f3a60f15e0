import type { Env } from './env.ts';
import { ConfigError, listed } from './read-values.ts';

/** 32 bytes each that encrypt stored provider keys: the first seals, those before it still open. */
export type SecretsSetting = { current: Buffer; before: readonly Buffer[] };

/** Undefined means a key file in the data folder. */
export function readSecrets(env: Env): SecretsSetting | undefined {
  const current = env['SECRETS_KEY'];
  const before = listed(env, 'SECRETS_KEY_PREVIOUS').map((text) => keyOf('SECRETS_KEY_PREVIOUS', text));
  if (current) return { current: keyOf('SECRETS_KEY', current), before };
  if (before.length > 0) throw new ConfigError('SECRETS_KEY_PREVIOUS is set without SECRETS_KEY.');
  return undefined;
}

function keyOf(name: string, text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== 32) throw new ConfigError(`${name} must be 32 bytes, in base64 or as 64 hex characters.`);
  return key;
}
