import type { Env } from './env.ts';

/** A setting cannot be used; one sentence that names the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A whole number between two bounds. @throws ConfigError */
export function whole(env: Env, name: string, standard: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined) return standard;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}; it is "${text}".`);
  }
  return value;
}

/** @throws ConfigError when it is neither true nor false */
export function yesNo(env: Env, name: string, standard: boolean): boolean {
  const text = env[name];
  if (text === undefined) return standard;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new ConfigError(`${name} must be true or false; it is "${text}".`);
}

/** One of a few words. @throws ConfigError */
export function oneOf<const T extends string>(env: Env, name: string, values: readonly T[], standard: T): T {
  const text = env[name] ?? standard;
  const found = values.find((value) => value === text);
  if (found === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}; it is "${text}".`);
  return found;
}

/** What stands between commas. */
export const listed = (env: Env, name: string): string[] =>
  (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item.length > 0);

/** @throws ConfigError when it is no http or https address */
export function checkUrl(name: string, text: string): void {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new ConfigError(`${name} must be an http or https URL; it is "${withoutSecrets(text)}".`);
}

/** An address, right or wrong, without user, password and query. */
const withoutSecrets = (text: string): string => text.replace(/^.*@/s, '…@').replace(/\?.*$/s, '?…');
