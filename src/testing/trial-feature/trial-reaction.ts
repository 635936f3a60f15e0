import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '#platform/context.ts';
import { defineEvent, reactTo, type Reaction } from '#platform/domain-events/domain-events.ts';

export const TrialGrown = defineEvent('trial.grown', z.object({ number: z.int(), userId: z.string(), projectId: z.uuid().nullable() }));

/** Writes each event down once, whatever fails or dies before, within or after. @param stumble called before and after the effect */
export const noteGrowth = (ctx: () => AppContext, name: string, stumble: () => void = () => {}): Reaction =>
  reactTo(TrialGrown, name, async ({ number }, { event, settle }) => {
    stumble();
    await ctx()
      .db.transaction()
      .execute(async (tx) => {
        if (!(await settle(tx))) return;
        await sql`insert into trial_notes (event_id, reaction, number) values (${event.id}, ${name}, ${number})`.execute(tx);
        stumble();
      });
    stumble();
  });
