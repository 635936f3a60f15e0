import { CompiledQuery, sql } from 'kysely';
import { PgBoss, type CommandResponse, type Db as BossDb, type QueueResult } from 'pg-boss';
import type { Database, Db, Tx } from '../db/database.ts';
import type { Logger } from '../observability/log.ts';
import type { Job } from './define-job.ts';
import { lookAtQueue, type Outlook } from './outlook.ts';
import { addDeferral } from './retry-later.ts';

export type Enqueue = {
  /** Adds a job within the caller's transaction: it exists if and only if the rest is committed. */
  send<P>(tx: Db | Tx, job: Job<P>, payload: P, options?: { startAfter?: Date; singletonKey?: string; group?: string }): Promise<void>;
  /** The same for many jobs of one kind, in one statement. */
  sendAll<P>(tx: Db | Tx, job: Job<P>, payloads: readonly P[], options?: { singletonKeyOf?: (payload: P) => string }): Promise<void>;
};

export type Queue = Enqueue & {
  boss: PgBoss;
  start(jobs: readonly Job[]): Promise<void>;
  /** What there is to do, with one statement. */
  look(): Promise<Outlook>;
  /** Gives back what workers had whose heartbeat ended, or that took too long. */
  takeBack(names: readonly string[]): Promise<void>;
  /** Removes what is over. */
  tidy(): Promise<void>;
  /** Says that these tries are at work; gives the ids of those that are still theirs. */
  touch(name: string, attempts: readonly Attempt[]): Promise<string[]>;
  complete(name: string, attempts: readonly Attempt[]): Promise<void>;
  /** Ends tries that were cut off: others may begin at once. */
  giveBack(name: string, attempts: readonly Attempt[]): Promise<void>;
  /** Ends a try that failed; the next one may begin after so many milliseconds. */
  failTry(name: string, attempt: Attempt, message: string, againInMs: number): Promise<void>;
  /** Puts a job off for so many milliseconds, which is no failed try. */
  defer(name: string, attempt: Attempt, milliseconds: number): Promise<void>;
  /** Ends a job that is not tried again. */
  giveUp(name: string, attempt: Attempt): Promise<void>;
  stop(): Promise<void>;
};

/** One try of a job: whoever has a later one has taken it over. */
export type Attempt = { id: string; retryCount: number };

/** The least the queue accepts; a worker that is gone is noticed after this many seconds. */
export const HEARTBEAT_SECONDS = 10;
/** How often the queue reads its own settings again and looks for indexes to build after an upgrade. */
const HOUSEKEEPING_SECONDS = 300;
const JOBS_SCHEMA = 'jobs';

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** Topic that wakes the workers of one job. */
export const jobTopic = (name: string): string => `j:${name}`;

/** Background work on pg-boss, on the database's one pool. */
export function openQueue(database: Database, log: Logger): Queue {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.query(text, values) },
    schema: JOBS_SCHEMA,
    backend: database.kind,
    // Workers drive it: what it takes back they hand on at once.
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: 1,
    queueCacheIntervalSeconds: HOUSEKEEPING_SECONDS,
    bamIntervalSeconds: HOUSEKEEPING_SECONDS,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));

  return {
    boss,
    start: (jobs) =>
      oneAtATime(database, async () => {
        await boss.start();
        await database.query(`create index if not exists job_common_active on ${JOBS_SCHEMA}.job_common (name) where state = 'active'`);
        const present = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
        for (const job of jobs) await bringUpToDate(boss, job, present.get(job.name));
        if (database.kind === 'pglite') await takeBackInterrupted(database, boss, log);
      }),
    send: async (tx, job, payload, options = {}) => {
      await boss.send(job.name, payload as object, {
        db: executorOf(tx),
        ...(options.startAfter ? { startAfter: options.startAfter } : {}),
        ...(options.singletonKey ? { singletonKey: options.singletonKey } : {}),
        ...(options.group ? { group: { id: options.group } } : {}),
      });
      await callWorkers(tx, job);
    },
    sendAll: async (tx, job, payloads, { singletonKeyOf } = {}) => {
      if (payloads.length === 0) return;
      const items = payloads.map((data) => ({ data: data as object, ...(singletonKeyOf ? { singletonKey: singletonKeyOf(data) } : {}) }));
      await boss.insert(job.name, items, { db: executorOf(tx) });
      await callWorkers(tx, job);
    },
    look: () => lookAtQueue(database),
    takeBack: async (names) => {
      for (const name of names) await boss.supervise(name);
    },
    tidy: () => boss.supervise(),
    touch: async (name, attempts) => settledBy(await boss.touch(name, [...attempts])),
    complete: async (name, attempts) => void (await boss.complete(name, [...attempts])),
    giveBack: async (name, attempts) => void (await boss.fail(name, [...attempts], { message: 'given back' })),
    failTry: (name, attempt, message, againInMs) =>
      database.kysely.transaction().execute(async (tx) => void (await putBack(boss, tx, { name, attempt, message, againInMs }))),
    defer: (name, attempt, againInMs) =>
      database.kysely.transaction().execute(async (tx) => {
        if (await putBack(boss, tx, { name, attempt, message: 'put off', againInMs })) await addDeferral(tx, attempt.id);
      }),
    giveUp: async (name, attempt) => void (await boss.cancel(name, attempt)),
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}

/** The options of a job's queue; one that is there already takes over those that changed, for the jobs to come. */
async function bringUpToDate(boss: PgBoss, job: Job, present: QueueResult | undefined): Promise<void> {
  const options = {
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: job.timeoutSeconds,
    // Being interrupted counts as a try as well; the worker itself stops after `job.retries` failures.
    retryLimit: 1000,
    // The worker says when the next try may begin.
    retryDelay: 0,
    retryBackoff: false,
    deleteAfterSeconds: 3600,
  };
  if (present && Object.entries(options).every(([name, value]) => present[name as keyof typeof options] === value)) return;
  if (present) await boss.updateQueue(job.name, options);
  else await boss.createQueue(job.name, options);
  // Its settings are read at the first use, on a connection of its own: within a transaction an embedded database has none left.
  await boss.findJobs(job.name, { id: NO_JOB });
}

/** Ends a try, so that the next one may begin after so many milliseconds; false when somebody else has the job. */
async function putBack(
  boss: PgBoss,
  tx: Tx,
  { name, attempt, message, againInMs }: { name: string; attempt: Attempt; message: string; againInMs: number },
): Promise<boolean> {
  const db = executorOf(tx);
  const isOurs = settledBy(await boss.fail(name, attempt, { message }, { db })).length > 0;
  if (isOurs) await boss.update(name, undefined, { id: attempt.id, startAfter: againInMs / 1000, db });
  return isOurs;
}

/** The ids that a call of the queue found to be still of the tries that it was given; its types do not tell of them. */
const settledBy = (response: CommandResponse): string[] => (response as CommandResponse & { settled?: string[] }).settled ?? [];

/** An embedded database has no other process, so whatever is active at start was cut off and can go on at once. */
async function takeBackInterrupted(database: Database, boss: PgBoss, log: Logger): Promise<void> {
  const { rows } = await database.query(
    `select name, array_agg(id) as ids from ${JOBS_SCHEMA}.job where state = 'active' and name not like '\\_\\_pgboss%' group by name`,
  );
  for (const { name, ids } of rows as { name: string; ids: string[] }[]) {
    await boss.fail(name, ids, { message: 'the process stopped' });
    log.info({ job: name, count: ids.length }, 'took back interrupted jobs');
  }
}

/** With the transaction: nobody is called before the job is there. */
const callWorkers = (tx: Db | Tx, { name }: Pick<Job, 'name'>) => sql`select pg_notify('groundwork', ${jobTopic(name)})`.execute(tx);

const executorOf = (tx: Db | Tx): BossDb => ({
  executeSql: async (text, values = []) => {
    const { rows } = await tx.executeQuery(CompiledQuery.raw(text, [...values]));
    return { rows: rows as never[] };
  },
});

const INSTALL_LOCK = 7_146_204;

/** Processes that start together on one database install the queue one after the other. */
async function oneAtATime(database: Database, install: () => Promise<void>): Promise<void> {
  if (database.kind === 'pglite') return install();
  await database.kysely.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${INSTALL_LOCK})`.execute(connection);
    try {
      await install();
    } finally {
      await sql`select pg_advisory_unlock(${INSTALL_LOCK})`.execute(connection);
    }
  });
}
