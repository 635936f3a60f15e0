import { CompiledQuery, sql } from 'kysely';
import { PgBoss, type Db as BossDb } from 'pg-boss';
import type { Config } from '../config/config.ts';
import type { Database, Db, Tx } from '../db/database.ts';
import type { Logger } from '../observability/log.ts';
import type { Job } from './define-job.ts';

export type Enqueue = {
  /** Adds a job within the caller's transaction: it exists if and only if the rest is committed. */
  send<P>(tx: Db | Tx, job: Job<P>, payload: P, options?: { startAfter?: Date; singletonKey?: string; group?: string }): Promise<void>;
};

export type Queue = Enqueue & {
  boss: PgBoss;
  start(jobs: readonly Job[]): Promise<void>;
  /** Gives back what a worker had whose heartbeat ended, and gives the names of those jobs. Tidies the queue now and then. */
  takeBackLost(): Promise<string[]>;
  stop(): Promise<void>;
};

/** The least the queue accepts; a worker that is gone is noticed after this many seconds. */
export const HEARTBEAT_SECONDS = 10;
const SUPERVISE_EVERY_MS = 10_000;
const JOBS_SCHEMA = 'jobs';

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** The same condition by which the queue gives a job to another worker. */
const LOST = `select distinct name from ${JOBS_SCHEMA}.job_common where state = 'active' and heartbeat_seconds is not null
  and heartbeat_on + heartbeat_seconds * interval '1s' < ${JOBS_SCHEMA}.job_now()`;

/** Topic that wakes the workers of one job. */
export const jobTopic = (name: string): string => `j:${name}`;

/** Background work on pg-boss, on the database's one pool. */
export function openQueue(database: Database, config: Pick<Config, 'roles'>, log: Logger): Queue {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.query(text, values) },
    schema: JOBS_SCHEMA,
    backend: database.kind,
    // Workers drive it: what it takes back they hand on at once.
    supervise: false,
    schedule: config.roles.has('scheduler'),
    superviseIntervalSeconds: SUPERVISE_EVERY_MS / 1000,
    monitorIntervalSeconds: 1,
    cronMonitorIntervalSeconds: 30,
    cronWorkerIntervalSeconds: 5,
    reindex: false,
    monitorVacuum: false,
  });
  let tidyAt = performance.now() + SUPERVISE_EVERY_MS * Math.random();
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));

  return {
    boss,
    start: (jobs) =>
      oneAtATime(database, async () => {
        await boss.start();
        await database.query(`create index if not exists job_common_active on ${JOBS_SCHEMA}.job_common (name) where state = 'active'`);
        const present = new Set((await boss.getQueues()).map((queue) => queue.name));
        for (const job of jobs) {
          if (present.has(job.name)) continue;
          await boss.createQueue(job.name, {
            heartbeatSeconds: HEARTBEAT_SECONDS,
            expireInSeconds: job.timeoutSeconds,
            // Being interrupted counts as a try as well; the worker itself stops after `job.retries` failures.
            retryLimit: 1000,
            deleteAfterSeconds: 3600,
          });
          // Its settings are read at the first use, on a connection of its own: within a transaction an embedded database has none left.
          await boss.findJobs(job.name, { id: NO_JOB });
        }
        if (config.roles.has('scheduler')) {
          for (const job of jobs) if (job.cron) await boss.schedule(job.name, job.cron, {});
        }
        if (database.kind === 'pglite') await takeBackInterrupted(database, boss, log);
      }),
    send: async (tx, job, payload, options = {}) => {
      await boss.send(job.name, payload as object, {
        db: executorOf(tx),
        ...(options.startAfter ? { startAfter: options.startAfter } : {}),
        ...(options.singletonKey ? { singletonKey: options.singletonKey } : {}),
        ...(options.group ? { group: { id: options.group } } : {}),
      });
      if (!options.startAfter) await sql`select pg_notify('groundwork', ${jobTopic(job.name)})`.execute(tx);
    },
    takeBackLost: async () => {
      const { rows } = await database.query(LOST);
      const names = (rows as { name: string }[]).map(({ name }) => name);
      if (performance.now() < tidyAt) {
        for (const name of names) await boss.supervise(name);
      } else {
        tidyAt = performance.now() + SUPERVISE_EVERY_MS;
        await boss.supervise();
      }
      return names;
    },
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}

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
