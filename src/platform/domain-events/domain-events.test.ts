import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp } from '#testing/app.ts';
import { actorOf } from '../actor.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { onBehalfOf } from '../principal.ts';
import { deleteEventsOfProject, listGivenUp, listOfProject, transferEvents } from './domain-event-store.ts';
import { defineEvent, domainEvents, type DomainEvent, type Reaction } from './domain-events.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db } = app.ctx;
beforeAll(async () => {
  await sql`create table planted (event_id uuid primary key)`.execute(db);
});
afterAll(() => app.dispose());

const Payload = z.object({ metres: z.number(), userId: z.string().optional(), projectId: z.uuid().nullable().optional() });
type Payload = z.output<typeof Payload>;
const Grown = defineEvent('tree.grown', Payload);
const Felled = defineEvent('tree.felled', Payload);

/** Events with these reactions; what is queued is kept until `work` runs it. */
function trial(reactions: readonly Reaction<Payload>[]) {
  const sent: { name: string; payload: { eventId: string; reaction: string }; key: string | undefined }[] = [];
  const gaveUp: string[] = [];
  const queue: Pick<Enqueue, 'sendAll'> = {
    sendAll: async (_tx, { name }, payloads, options) =>
      void sent.push(
        ...payloads.map((payload) => ({ name, payload: payload as { eventId: string; reaction: string }, key: options?.singletonKeyOf?.(payload) })),
      ),
  };
  const { events, jobs, runAgain } = domainEvents(
    () => ({ db, queue, gaveUp: (_event, reaction) => gaveUp.push(reaction) }),
    reactions as readonly Reaction[],
  );
  const run = async (payload: unknown, signal = new AbortController().signal) => jobs[0]?.run(payload, { signal, attempt: 1 });
  return {
    events,
    jobs,
    runAgain,
    sent,
    gaveUp,
    run,
    publish: (event: DomainEvent<Payload>, payload: Payload) => events.publish(db, event, payload),
    giveUp: (payload: unknown) => jobs[0]?.exhausted(payload, new Error('the gardener is away')),
  };
}

const nothing = async () => {};

describe('an event', () => {
  it('queues each reaction to it and no other, each under a key of its own', async () => {
    const { publish, sent } = trial([
      { event: Grown, name: 'measure', react: nothing },
      { event: Felled, name: 'plant', react: nothing },
      { event: Grown, name: 'shade', react: nothing },
    ]);
    await publish(Grown, { metres: 3 });
    expect(sent.map(({ name, payload }) => `${name} ${payload.reaction}`)).toEqual([
      'reaction.run tree.grown/measure',
      'reaction.run tree.grown/shade',
    ]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  it('queues none for a reaction that has nothing to do', async () => {
    const { publish, sent } = trial([{ event: Grown, name: 'fence', when: ({ metres }) => metres < 2, react: nothing }]);
    await publish(Grown, { metres: 1 });
    await publish(Grown, { metres: 3 });
    expect(sent).toHaveLength(1);
  });

  it('is part of its project’s timeline, with who did it and when', async () => {
    const { events } = trial([]);
    const [projectId, userId] = [randomUUID(), 'gardener'];
    await events.publish(db, Grown, { metres: 1, userId, projectId });
    await events.publish(db, Felled, { metres: 2, userId, projectId }, actorOf(onBehalfOf(userId)));
    // As on a clock too coarse to tell the two apart.
    await sql`update domain_events set occurred_at = '2026-01-01' where project_id = ${projectId}`.execute(db);
    const timeline = await listOfProject(db, { userId, projectId }, { limit: 10 });
    expect(timeline).toMatchObject([
      { name: 'tree.felled', version: 1, payload: { metres: 2 }, actor: { kind: 'user', userId }, userId, projectId },
      { name: 'tree.grown', actor: { kind: 'system', userId } },
    ]);
    expect(await listOfProject(db, { userId, projectId }, { limit: 10, after: timeline[0]?.id ?? '' })).toHaveLength(1);
    expect(await listOfProject(db, { userId: 'somebody else', projectId }, { limit: 10 })).toEqual([]);
  });

  it('is read in today’s shape by what follows it, in whatever version it was stored', async () => {
    const GrownInFeet = defineEvent('tree.measured', z.object({ feet: z.number() }));
    const GrownInMetres = defineEvent('tree.measured', Payload, { version: 2, upcasts: { 1: ({ feet }) => ({ metres: Number(feet) / 4 }) } });
    const seen: number[] = [];
    const today = trial([{ event: GrownInMetres, name: 'note', react: async ({ metres }) => void seen.push(metres) }]);
    await today.events.publish(db, GrownInFeet, { feet: 8 });
    await today.publish(GrownInMetres, { metres: 3 });
    for (const { payload } of today.sent) await today.run(payload);
    expect(seen).toEqual([2, 3]);
  });

  it('is that of whoever owns it by now to what follows it', async () => {
    const seen: (string | undefined)[] = [];
    const { publish, sent, run } = trial([{ event: Grown, name: 'note', react: async ({ userId }) => void seen.push(userId) }]);
    const [from, to] = [`anon:${randomUUID()}`, randomUUID()];
    await publish(Grown, { metres: 1, userId: from });
    await publish(Grown, { metres: 2 });
    await db.transaction().execute((tx) => transferEvents(tx, from, to));
    for (const { payload } of sent) await run(payload);
    expect(seen).toEqual([to, undefined]);
  });

  it('is not there when its transaction is undone', async () => {
    const { events } = trial([]);
    const [userId, projectId] = ['gardener', randomUUID()];
    const undone = db.transaction().execute(async (tx) => {
      await events.publish(tx, Grown, { metres: 1, userId, projectId });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await listOfProject(db, { userId, projectId }, { limit: 10 })).toEqual([]);
  });
});

describe('a reaction', () => {
  it('runs once for an event, however often its job comes', async () => {
    let count = 0;
    const { publish, sent, run } = trial([{ event: Grown, name: 'count', react: async () => void (count += 1) }]);
    await publish(Grown, { metres: 1 });
    await run(sent[0]?.payload);
    await run(sent[0]?.payload);
    expect(count).toBe(1);
  });

  it('that settles with its effect has it exactly once, killed in between or not', async () => {
    let killed = true;
    const plant: Reaction<Payload> = {
      event: Grown,
      name: 'plant',
      react: async (_payload, { event, settle }) => {
        await db.transaction().execute(async (tx) => {
          if (await settle(tx)) await sql`insert into planted (event_id) values (${event.id})`.execute(tx);
        });
        if (killed) throw new Error('killed after the effect');
      },
    };
    const { publish, sent, run } = trial([plant]);
    await publish(Grown, { metres: 1 });
    await expect(run(sent[0]?.payload)).rejects.toThrow('killed');
    killed = false;
    await run(sent[0]?.payload);
    const { rows } = await sql`select 1 from planted where event_id = ${sent[0]?.payload.eventId}`.execute(db);
    expect(rows).toHaveLength(1);
  });

  it('that gave up is listed with its error and can be run again, once', async () => {
    let count = 0;
    const { runAgain, publish, sent, run, giveUp, gaveUp } = trial([{ event: Grown, name: 'water', react: async () => void (count += 1) }]);
    await publish(Grown, { metres: 1 });
    const asked = sent[0]?.payload ?? { eventId: '', reaction: '' };
    await giveUp(asked);
    expect(gaveUp).toEqual(['tree.grown/water']);
    expect(await listGivenUp(db, 10)).toMatchObject([
      { eventId: asked.eventId, event: 'tree.grown', reaction: 'tree.grown/water', error: 'the gardener is away' },
    ]);
    const again = () => db.transaction().execute((tx) => runAgain(tx, asked.eventId, asked.reaction));
    expect([await again(), await again()]).toEqual([true, false]);
    await run(sent[1]?.payload);
    expect(count).toBe(1);
    expect(await listGivenUp(db, 10)).toEqual([]);
  });

  it('to an event that goes with its project meanwhile ends like any other', async () => {
    const projectId = randomUUID();
    const { publish, sent, run, giveUp } = trial([{ event: Grown, name: 'fell', react: () => deleteEventsOfProject(db, projectId) }]);
    await publish(Grown, { metres: 1, userId: 'gardener', projectId });
    await run(sent[0]?.payload);
    await giveUp(sent[0]?.payload);
    expect(await listOfProject(db, { userId: 'gardener', projectId }, { limit: 1 })).toEqual([]);
  });

  it('is told when its job is given back, so that it waits for nothing outside any longer', async () => {
    const stopping = new AbortController();
    const told: AbortSignal[] = [];
    const { publish, sent, run } = trial([{ event: Grown, name: 'measure', react: async (_payload, { signal }) => void told.push(signal) }]);
    await publish(Grown, { metres: 1 });
    await run(sent[0]?.payload, stopping.signal);
    stopping.abort();
    expect(told.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('that the version before queued is still worked', async () => {
    const seen: number[] = [];
    const { jobs } = trial([{ event: Grown, name: 'measure', react: async ({ metres }) => void seen.push(metres) }]);
    const earlier = jobs.find(({ job }) => job.name === 'on.tree.grown.measure');
    await earlier?.run({ metres: 4 }, { signal: new AbortController().signal, attempt: 1 });
    expect(seen).toEqual([4]);
  });
});
