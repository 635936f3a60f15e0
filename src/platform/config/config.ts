import { readFileSync } from 'node:fs';
import { readAnalytics, type AnalyticsService } from './analytics.ts';
import { readBlobs, type BlobService } from './blobs.ts';
import { readContent, type ContentService } from './content.ts';
import { readBilling, type BillingConfig } from './billing.ts';
import { readStorage, type StorageConfig } from './database.ts';
import type { Env } from './env.ts';
import { readFetch, type FetchConfig } from './fetch.ts';
import { readIdentity, type IdentityConfig } from './identity.ts';
import { readLimits, type LimitsConfig } from './limits.ts';
import { readMetering, type MeteringConfig } from './metering.ts';
import { readModels, type ModelsConfig } from './models.ts';
import { readObservability, type ObservabilityConfig } from './observability.ts';
import { readPush, type PushConfig } from './push.ts';
import { readSearch, type SearchConfig } from './search.ts';
import { readSecrets, type SecretsSetting } from './secrets.ts';
import { readServer, type ServerConfig } from './server.ts';
import { readPhoneCodes, readTextMessages, type TextMessageService } from './text-messages.ts';

export { ConfigError } from './read-values.ts';

export type Config = {
  version: string;
  gitSha: string;
  startedAt: string;
  identity: IdentityConfig;
  search: SearchConfig;
  fetch: FetchConfig;
  /** Undefined: aliases stay in the database. */
  analytics: AnalyticsService | undefined;
  /** Undefined: files in the data folder. */
  blobs: BlobService | undefined;
  /** Undefined: public pages are kept in our own database. */
  content: ContentService | undefined;
  /** Undefined: text messages wait in the outbox. */
  textMessages: TextMessageService | undefined;
  /** Codes for phone numbers that the installation sends in an hour. */
  phoneCodesPerHour: number;
  /** Undefined: a key file in the data folder. */
  secrets: SecretsSetting | undefined;
  billing: BillingConfig;
  push: PushConfig;
} & ServerConfig &
  StorageConfig &
  ModelsConfig &
  LimitsConfig &
  MeteringConfig &
  ObservabilityConfig;

const packageVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/**
 * Groups and checks the environment; each group has a file of its own.
 * @throws ConfigError one sentence naming the variable, when a value is wrong or a group is half set
 */
export function loadConfig(env: Env): Config {
  const server = readServer(env);
  return {
    version: packageVersion(),
    gitSha: env['GIT_SHA'] ?? 'unknown',
    startedAt: new Date().toISOString(),
    ...server,
    ...readStorage(env),
    ...readModels(env),
    ...readLimits(env),
    ...readMetering(env),
    ...readBilling(env),
    ...readObservability(env),
    identity: readIdentity(env, server.http.baseUrl),
    search: readSearch(env),
    fetch: readFetch(env),
    analytics: readAnalytics(env),
    blobs: readBlobs(env),
    content: readContent(env),
    textMessages: readTextMessages(env),
    phoneCodesPerHour: readPhoneCodes(env),
    secrets: readSecrets(env),
    push: readPush(env, server.http.baseUrl),
  };
}
