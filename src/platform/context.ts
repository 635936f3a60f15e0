import type { Config } from './config/config.ts';
import type { Database, Db } from './db/database.ts';
import type { DomainEvents } from './domain-events/domain-events.ts';
import type { Limiter } from './http/limits.ts';
import type { Enqueue } from './jobs/queue.ts';
import type { Embeddings } from './llm/embeddings.ts';
import type { Models } from './llm/models.ts';
import type { Logger } from './observability/log.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Printer } from './ports/pdf/open-printer.ts';
import type { SecretBox } from './ports/secret-box.ts';
import type { WebSearch } from './ports/web-search.ts';
import type { PageReader } from './ports/page-reader.ts';
import type { EventLog } from './streams/event-log.ts';
import type { Wakeups } from './streams/wakeups.ts';

/** Everything an operation may touch, built once at start. */
export type AppContext = {
  config: Config;
  log: Logger;
  metrics: Metrics;
  database: Database;
  db: Db;
  streams: EventLog;
  wakeups: Wakeups;
  queue: Enqueue;
  events: DomainEvents;
  limiter: Limiter;
  models: Models;
  embeddings: Embeddings;
  /** Undefined where no search provider is configured. */
  search: WebSearch | undefined;
  pages: PageReader;
  printer: Printer;
  secrets: SecretBox;
  clock: { now(): Date };
};

/** What one operation needs of it; its signature says so, and a test passes only that. */
export type Needs<K extends keyof AppContext> = Pick<AppContext, K>;
