import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { BriefFailed, BriefReady } from '#features/briefs';
import { BuildGraphFailed, BuildGraphReady } from '#features/build-graphs';
import { FeatureResearchCompleted, FeatureResearchFailed } from '#features/feature-research';
import { ProductsChanged } from '#features/products';
import { ResearchFailed } from '#features/research';
import type { DomainEvent } from '#platform/domain-events/domain-events.ts';
import { startTestApp } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { connectAs, type FrameClient } from '#testing/toast-socket.ts';
import { announceControl } from './announce-control.ts';
import { CONTROL_KINDS, type ControlKind, type ControlParams } from './control-kinds.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

const ids = { userId: '', projectId: randomUUID(), one: randomUUID(), two: randomUUID() };
const LONG = 'x'.repeat(300);
const failure = { code: 'CODE', message: LONG, retryable: true };

/** A domain event without its user, and the control frame that follows it. */
type Followed = [DomainEvent<never>, object, ControlKind, object];
const followed = <P>(event: DomainEvent<P>, payload: Omit<P, 'userId'>, kind: ControlKind, params: object): Followed => [
  event as DomainEvent<never>,
  payload,
  kind,
  params,
];

const FOLLOWED: Followed[] = [
  followed(ResearchFailed, { jobId: ids.one, projectId: null, ...failure }, 'research.failed', {
    research_id: ids.one,
    code: 'CODE',
    message: `${'x'.repeat(199)}…`,
    retryable: true,
  }),
  followed(
    BuildGraphReady,
    { graphId: ids.one, projectId: ids.projectId, title: 'T', rootCount: 3, durationMs: 12, source: 'user' },
    'build_graph.ready',
    { graph_id: ids.one, root_count: 3, duration_ms: 12, project_id: ids.projectId },
  ),
  followed(
    BuildGraphReady,
    { graphId: ids.one, projectId: null, title: 'T', rootCount: 3, durationMs: 12, source: 'research_auto_seeded' },
    'build_graph.ready',
    { graph_id: ids.one, root_count: 3, duration_ms: 12 },
  ),
  followed(BuildGraphFailed, { graphId: ids.one, projectId: null, ...failure }, 'build_graph.failed', { graph_id: ids.one, ...failure }),
  followed(
    FeatureResearchCompleted,
    { featureResearchId: ids.one, projectId: null, researchId: null, score: 5, durationMs: 7 },
    'feature_research.completed',
    { feature_research_id: ids.one, duration_ms: 7 },
  ),
  followed(FeatureResearchFailed, { featureResearchId: ids.one, projectId: null, stage: 'search', ...failure }, 'feature_research.failed', {
    feature_research_id: ids.one,
    stage: 'search',
    ...failure,
  }),
  followed(BriefReady, { briefId: ids.one, projectId: ids.projectId, researchId: ids.two, title: 'T', qualityScore: 80 }, 'brief.ready', {
    brief_id: ids.one,
    research_id: ids.two,
    title: 'T',
    quality_score: 80,
  }),
  followed(BriefFailed, { briefId: ids.one, projectId: ids.projectId, researchId: null, ...failure }, 'brief.failed', {
    brief_id: ids.one,
    research_id: null,
    message: LONG,
  }),
  followed(ProductsChanged, { product_card_id: ids.one, research_job_id: ids.two, state: 'completed', progress: 100 }, 'products.changed', {
    product_card_id: ids.one,
    research_job_id: ids.two,
    state: 'completed',
    progress: 100,
  }),
];

async function nextControl(socket: FrameClient, kind: ControlKind): Promise<Record<string, unknown>> {
  for (;;) {
    const frame = await socket.next();
    const control = frame['control'] as { kind: string } | undefined;
    if (control?.kind === kind) return frame;
  }
}

describe('what happened', () => {
  it.each(FOLLOWED.map((each, place) => [`${each[2]} (${place})`, each] as const))(
    'is told as %s [R1119 R1141 R1142 R1143 R1144 R1145 R1146 R1147 R1148 R1155]',
    async (_name, [event, payload, kind, params]) => {
      const [user, stranger] = [await app.user(), await app.user()];
      const [socket, deaf] = [await connectAs(user, app.url, { topics: ['news'] }), await connectAs(stranger, app.url)];
      for (const each of [socket, deaf]) await each.next();
      await app.ctx.events.publish(app.ctx.db, event, { ...payload, userId: user.userId } as never);
      expect(await socket.next()).toEqual({ type: 'control', control: { kind, params, ts: expect.stringMatching(/^\d{4}-.*Z$/) } });
      expect(await deaf.soFar()).toEqual([]);
      for (const each of [socket, deaf]) each.close();
    },
  );

  it('is told of a research as it ends, with what was picked [R1140]', async () => {
    const user = await app.user();
    const socket = await connectAs(user, app.url);
    await socket.next();
    const { job_id: jobId, project_id: projectId } = (await user.call('POST', '/projects/research', { idea: newIdea() })).body;
    const { control } = (await nextControl(socket, 'research.completed')) as { control: { params: Record<string, unknown> } };
    expect(control.params).toEqual({
      research_id: jobId,
      project_id: projectId,
      pipeline_stage: 'priorities_picked',
      picked_count: expect.any(Number),
    });
    const { items } = (await user.call('GET', '/v1/cards')).body as unknown as { items: { card_type: string; body: { picked_count: number } }[] };
    expect(control.params['picked_count']).toBe(items.find(({ card_type: type }) => type === 'priorities_picked')?.body.picked_count);
    socket.close();
  });

  it('is not kept for whoever connects later [R1133 R1134]', async () => {
    const user = await app.user();
    await announceControl(app.ctx, user.userId, 'flags.changed', {});
    const socket = await connectAs(user, app.url);
    expect((await socket.soFar()).map(({ type }) => type)).toEqual(['connection_ack']);
    expect((await user.call('GET', '/v1/toasts')).body).toEqual({ items: [] });
    socket.close();
  });

  it('does not reach sockets of channels', async () => {
    const user = await app.user();
    const [toasts, channels] = [await connectAs(user, app.url), await connectAs(user, app.url, { path: '/ws' })];
    expect(await channels.soFar()).toEqual([]);
    await toasts.next();
    await announceControl(app.ctx, user.userId, 'usage.changed', {});
    expect(await toasts.next()).toMatchObject({ control: { kind: 'usage.changed', params: {} } });
    expect(await channels.soFar()).toEqual([]);
    for (const each of [toasts, channels]) each.close();
  });
});

const company = { company_id: ids.one, name: 'N', domain: 'n.example', sector: null };
const READY: { [K in ControlKind]?: ControlParams<K>[] } = {
  'usage.changed': [{}],
  'flags.changed': [{}],
  'forge_run.status_changed': [
    { run_id: ids.one, status: 'executing' },
    { run_id: ids.one, status: 'failed', error: 'no access' },
  ],
  'intel_company.enriched': [company],
  'signals.detected': [{ company_id: ids.one, company_name: 'N', monitor_id: ids.two, count: 2, first_title: 'New prices' }],
};

describe('a kind that others fire', () => {
  it.each(Object.entries(READY).flatMap(([kind, list]) => list.map((params) => [kind as ControlKind, params] as const)))(
    '%s goes out with %j [R1139 R1149 R1150 R1151 R1152]',
    async (kind, params) => {
      const user = await app.user();
      const socket = await connectAs(user, app.url);
      await socket.next();
      await announceControl(app.ctx, user.userId, kind, params as never);
      expect(await socket.next()).toMatchObject({ control: { kind, params } });
      socket.close();
    },
  );

  it('is one of those that the interface has, and every one is tried', () => {
    const tried = new Set([...FOLLOWED.map(([, , kind]) => kind), 'research.completed', ...Object.keys(READY)]);
    expect(Object.keys(CONTROL_KINDS).toSorted()).toEqual([...tried].toSorted());
  });

  it('is cut where its text is long', () => {
    const run = CONTROL_KINDS['forge_run.status_changed'].parse({ run_id: ids.one, status: 'failed', error: LONG });
    expect(run.error).toHaveLength(200);
  });
});
