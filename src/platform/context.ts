import type { Config } from './config/config.ts';
import type { Database, Db } from './db/database.ts';
import type { DomainEvents } from './domain-events/domain-events.ts';
import type { Limiter } from './http/limits.ts';
import type { Enqueue } from './jobs/queue.ts';
import type { Embeddings } from './llm/embeddings.ts';
import type { ModelCalls } from './llm/model-calls.ts';
import type { Models } from './llm/models.ts';
import type { Logger } from './observability/log.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Printer } from './rendering/pdf/open-printer.ts';
import type { SecretBox } from './secret-box.ts';
import type { Analytics } from './ports/analytics/port.ts';
import type { Blobs } from './ports/blobs/port.ts';
import type { ContentStore } from './ports/content-store/port.ts';
import type { BillingProvider } from './ports/billing-provider/port.ts';
import type { WebSearch } from './ports/web-search/port.ts';
import type { GuardedFetch } from './ports/guarded-fetch/port.ts';
import type { PageReader } from './ports/page-reader/port.ts';
import type { TextMessages } from './ports/text-messages/port.ts';
import type { PushGateway } from './ports/push-gateway/port.ts';
import type { Hub } from './realtime/hub.ts';
import type { Presence } from './realtime/presence.ts';
import type { Relay } from './realtime/relay.ts';
import type { Schedules } from './schedules/schedules.ts';
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
  /** The sockets of this process. */
  hub: Hub;
  /** Who is connected, over all processes. */
  presence: Presence;
  /** Messages to the sockets of a user, over all processes. */
  relay: Relay;
  queue: Enqueue;
  events: DomainEvents;
  schedules: Schedules;
  limiter: Limiter;
  models: Models;
  modelCalls: ModelCalls;
  embeddings: Embeddings;
  /** Undefined where no search provider is configured. */
  search: WebSearch | undefined;
  /** Undefined where nobody keeps the books. */
  billing: BillingProvider | undefined;
  /** HTTP with addresses that others name. */
  fetch: GuardedFetch;
  pages: PageReader;
  /** Recordings and other files. */
  blobs: Blobs;
  /** Public pages of blocks. */
  content: ContentStore;
  /** Text messages to phones. */
  texts: TextMessages;
  /** Whoever counts users outside. */
  analytics: Analytics;
  printer: Printer;
  push: PushGateway;
  secrets: SecretBox;
  clock: { now(): Date };
};

/** What one operation needs of it; its signature says so, and a test passes only that. */
export type Needs<K extends keyof AppContext> = Pick<AppContext, K>;
