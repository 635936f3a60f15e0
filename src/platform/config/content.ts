import type { Env } from './env.ts';
import { checkUrl, ConfigError } from './read-values.ts';

/** A content system that speaks Payload's REST API. */
export type ContentService = {
  baseUrl: string;
  apiKey: string;
  /** Where pages are kept. */
  collection: string;
  /** Whose API keys are meant. */
  usersCollection: string;
};

const NAMES = ['CONTENT_BASE_URL', 'CONTENT_API_KEY'] as const;

/** Undefined: pages are kept in our own database. */
export function readContent(env: Env): ContentService | undefined {
  const [baseUrl, apiKey] = NAMES.map((name) => env[name]);
  const collection = slugIn(env, 'CONTENT_COLLECTION', 'clips');
  const usersCollection = slugIn(env, 'CONTENT_USERS_COLLECTION', 'users');
  if (baseUrl) checkUrl('CONTENT_BASE_URL', baseUrl);
  if (baseUrl && apiKey) return { baseUrl, apiKey, collection, usersCollection };
  const given = [...NAMES, 'CONTENT_COLLECTION', 'CONTENT_USERS_COLLECTION'].find((name) => env[name]);
  if (given) throw new ConfigError(`${given} is set without ${NAMES.filter((name) => !env[name]).join(' and ')}.`);
  return undefined;
}

function slugIn(env: Env, name: string, standard: string): string {
  const slug = env[name] ?? standard;
  if (!/^[\w-]+$/.test(slug)) throw new ConfigError(`${name} must be the slug of a collection, such as "${standard}"; it is "${slug}".`);
  return slug;
}
