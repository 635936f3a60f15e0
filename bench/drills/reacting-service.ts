// The service with reactions that fail at random. It makes events happen until there are enough of them, and tells its
// parent of every step. Started by bench/reactions.ts, which kills it. Arguments: how many events.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { loadConfig } from '#platform/config/config.ts';
import { readEnv } from '#platform/config/env.ts';
import { lockDataDir } from '#platform/db/data-dir-lock.ts';
import { openLog } from '#platform/observability/log.ts';
import { noteGrowth, TrialGrown } from '#testing/trial-feature/trial-reaction.ts';
import { startService } from '../../src/app/service.ts';
import { REACTIONS, type Said, type Totals } from './reactions.ts';

const FAILS = 0.08;
const PUBLISH_EVERY_MS = 8;
const TELL_EVERY_MS = 500;

await live(Number(process.argv[2]));

async function live(wanted: number): Promise<void> {
  const config = loadConfig(readEnv());
  if (config.database.kind === 'pglite') await lockDataDir(config.dataDir);
  const { ctx } = await startService(config, openLog(config.logLevel), {
    work: (current) => ({ reactions: REACTIONS.map((name) => noteGrowth(current, name, stumble)) }),
  });
  const { db } = ctx;
  await sql`create table if not exists trial_notes (event_id uuid, reaction text, number integer)`.execute(db);
  await sql`create index if not exists trial_notes_event_id on trial_notes (event_id)`.execute(db);
  void keepTelling();
  for (let number = (await totalsOf()).events; number < wanted; number += 1) {
    const event = { number, userId: 'gardener', projectId: null };
    await db.transaction().execute((tx) => ctx.events.publish(tx, TrialGrown, event));
    await pause(PUBLISH_EVERY_MS);
  }

  async function keepTelling(): Promise<never> {
    for (;;) {
      say(await totalsOf());
      await pause(TELL_EVERY_MS);
    }
  }

  async function totalsOf(): Promise<Totals> {
    const { rows } = await sql<Totals>`
      with pairs as (select e.id, r.name from domain_events e cross join unnest(${REACTIONS}::text[]) as r (name) where e.name = ${TrialGrown.name}),
      noted as (select p.id, p.name, count(n.event_id)::int as times from pairs p left join trial_notes n on n.event_id = p.id and n.reaction = p.name group by 1, 2)
      select (select count(distinct number)::int from (select (payload ->> 'number')::int as number from domain_events where name = ${TrialGrown.name}) n) as events,
             (select count(*)::int from reaction_outcomes where outcome = 'done') as done,
             (select count(*)::int from reaction_outcomes where outcome = 'gave_up') as "gaveUp",
             (select count(*)::int from noted where times = 0) as missing,
             (select count(*)::int from noted where times > 1) as doubled`.execute(db);
    const [totals] = rows;
    if (!totals) throw new Error('no totals');
    return totals;
  }
}

function stumble(): void {
  say({ step: true });
  if (Math.random() < FAILS) throw new Error('stumbled');
}

function say(said: Said): void {
  process.send?.(said);
}
