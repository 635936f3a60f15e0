import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import {
  anyList,
  anyNumber,
  anyString,
  call,
  completedResearch,
  detail,
  newIdea,
  newProject,
  newUser,
  serviceUrl,
  startResearch,
  timestamp,
  uuid,
  type Answer,
  type User,
} from './black-box.ts';
import { readNdjson, type Line } from '../../src/testing/read-ndjson.ts';

const SECTIONS = ['market_map', 'incumbents', 'emerging', 'features', 'market_gaps', 'positioning', 'mvp_angle'];
const LISTS = ['incumbents', 'emerging', 'features', 'market_gaps'];

type Researched = { user: User; projectId: string; researchId: string };

async function researched(): Promise<Researched> {
  const user = await newUser();
  const projectId = await newProject(user);
  return { user, projectId, researchId: await completedResearch(user, newIdea(), { project_id: projectId }) };
}

const follow = (user: User, briefId: string, query = ''): Promise<Line[]> =>
  readNdjson(`${serviceUrl}/briefs/${briefId}/events${query}`, user.token, AbortSignal.timeout(20_000));

async function started(of: Researched): Promise<string> {
  const answer = await of.user.post('/briefs', { project_id: of.projectId });
  expect(answer.status, answer.text).toBe(201);
  return String(answer.body['brief_id']);
}

async function ready(): Promise<Researched & { briefId: string; lines: Line[] }> {
  const of = await researched();
  const briefId = await started(of);
  return { ...of, briefId, lines: await follow(of.user, briefId) };
}

const regenerate = (user: User, briefId: string, section: string): Promise<Answer> => user.post(`/briefs/${briefId}/sections/${section}/regenerate`);

/** Reads the brief until nothing of it waits to be written anew. */
async function settled(user: User, briefId: string): Promise<Answer> {
  return vi.waitFor(async () => {
    const answer = await user.get(`/briefs/${briefId}`);
    expect(JSON.stringify(answer.body['section_meta'])).not.toContain('rewriting');
    return answer;
  }, 15_000);
}

describe('POST /briefs', () => {
  it('answers 201 with the id and status generating, from the latest completed research [R626 R630 R631 R633]', async () => {
    const of = await researched();
    const answer = await of.user.post('/briefs', { project_id: of.projectId });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ brief_id: uuid(), status: 'generating' });
    const brief = await of.user.get(`/briefs/${String(answer.body['brief_id'])}`);
    expect(brief.body).toMatchObject({ project_id: of.projectId, research_id: of.researchId });
  });

  it('takes a research and a template, or null for either [R611 R631 R632]', async () => {
    const of = await researched();
    for (const body of [
      { research_id: of.researchId, template: 'one page' },
      { research_id: null, template: null },
    ]) {
      const answer = await of.user.post('/briefs', { project_id: of.projectId, ...body });
      expect(answer.status).toBe(201);
      const brief = await of.user.get(`/briefs/${String(answer.body['brief_id'])}`);
      expect(brief.body).toMatchObject({ research_id: of.researchId, template: body.template });
    }
  });

  it('answers 404 to a research that is missing, of another user or not completed [R634 R635]', async () => {
    const of = await researched();
    const failed = await startResearch(of.user, '   ');
    await readNdjson(`${serviceUrl}/research/${failed}/events`, of.user.token, AbortSignal.timeout(20_000));
    const other = await researched();
    for (const research of [randomUUID(), other.researchId, failed]) {
      const answer = await of.user.post('/briefs', { project_id: of.projectId, research_id: research });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(detail(/not found/));
    }
  });

  it('answers 422 when the project has no completed research [R636]', async () => {
    const user = await newUser();
    const answer = await user.post('/briefs', { project_id: await newProject(user) });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual(detail(/research/));
  });

  it('answers 404 to a project that is missing or of another user [R032]', async () => {
    const of = await researched();
    const stranger = await newUser();
    expect((await stranger.post('/briefs', { project_id: of.projectId })).status).toBe(404);
    expect((await of.user.post('/briefs', { project_id: randomUUID() })).status).toBe(404);
  });

  it('answers 400 without a project, 422 to one that is no id, 401 without a token [R028 R029 R630]', async () => {
    const user = await newUser();
    expect((await user.post('/briefs', {})).status).toBe(400);
    expect((await user.post('/briefs', { project_id: 7 })).status).toBe(400);
    expect((await user.post('/briefs', { project_id: 'x' })).status).toBe(422);
    expect((await call('POST', '/briefs', { body: { project_id: randomUUID() } })).status).toBe(401);
  });
});

describe('GET /briefs', () => {
  it('answers own briefs, newest first, 20 unless another limit is asked for [R639 R640 R641]', async () => {
    const of = await researched();
    const ids = [await started(of), await started(of), await started(of)].reverse();
    const all = await of.user.get('/briefs');
    expect(all.status).toBe(200);
    expect(all.body).toMatchObject({ limit: 20, offset: 0, has_more: false });
    expect((all.body['items'] as { id: string }[]).map(({ id }) => id)).toEqual(ids);
    const page = await of.user.get('/briefs?limit=1&offset=1');
    expect(page.body).toMatchObject({ items: [{ id: ids[1] }], limit: 1, offset: 1, has_more: true });
    expect((await (await newUser()).get('/briefs')).body['items']).toEqual([]);
  });

  it('answers 422 to a limit above 100 or below 1 [R640]', async () => {
    const user = await newUser();
    for (const query of ['limit=101', 'limit=0', 'limit=x', 'offset=-1']) expect((await user.get(`/briefs?${query}`)).status).toBe(422);
    expect((await user.get('/briefs?limit=100')).status).toBe(200);
  });
});

describe('GET /briefs/{brief_id}', () => {
  it('answers the whole brief once it is ready [R607 R609 R610 R612 R613 R614 R615 R616 R617 R618 R619 R620 R624 R625 R627 R668]', async () => {
    const of = await ready();
    const { body } = await of.user.get(`/briefs/${of.briefId}`);
    expect(body).toMatchObject({
      id: of.briefId,
      project_id: of.projectId,
      research_id: of.researchId,
      title: anyString(),
      status: 'ready',
      revision: 1,
      quality_score: anyNumber(),
      share_token: anyString(),
      template: null,
      refresh_enabled: false,
      audience: null,
      created_at: timestamp(),
      updated_at: timestamp(),
    });
    for (const section of SECTIONS) {
      expect(Array.isArray(body[section]), section).toBe(LISTS.includes(section));
      expect(body['section_meta']).toMatchObject({ [section]: { quality_score: anyNumber(), generated_at: timestamp() } });
    }
    for (const source of body['sources'] as object[]) expect(source).toMatchObject({ url: anyString(), title: anyString(), snippet: anyString() });
    const scores = [
      body['quality_score'],
      ...Object.values(body['section_meta'] as Record<string, { quality_score: number }>).map((meta) => meta.quality_score),
    ];
    for (const score of scores) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
    }
    expect(body['progress']).toBeUndefined();
  });

  it('answers while it is generated with what is written so far [R642]', async () => {
    const of = await researched();
    const { status, body } = await of.user.get(`/briefs/${await started(of)}`);
    expect(status).toBe(200);
    expect(['generating', 'ready']).toContain(body['status']);
    expect(body['sources']).toEqual(anyList());
  });

  it('answers 404 to what is missing or of another user, 422 to what is no id [R032]', async () => {
    const of = await ready();
    const stranger = await newUser();
    expect((await stranger.get(`/briefs/${of.briefId}`)).status).toBe(404);
    expect((await of.user.get(`/briefs/${randomUUID()}`)).status).toBe(404);
    expect((await of.user.get('/briefs/x')).status).toBe(422);
  });
});

describe('GET /briefs/{brief_id}/events', () => {
  it('tells of each section with its content, of the brief being ready, and ends [R644 R662 R663 R665]', async () => {
    const of = await ready();
    const told = of.lines.filter(({ event }) => event === 'section_progress');
    expect(told.map(({ data }) => data['section']).sort()).toEqual([...SECTIONS].sort());
    expect(of.lines.map(({ event }) => event).slice(-2)).toEqual(['brief_ready', 'done']);
    const { body } = await of.user.get(`/briefs/${of.briefId}`);
    for (const { data } of told) expect(data['content']).toEqual(body[String(data['section'])]);
  });

  it('replays what came after the cursor [R644]', async () => {
    const of = await ready();
    const rest = await follow(of.user, of.briefId, '?cursor=7');
    expect(rest.map(({ event }) => event)).toEqual(['brief_ready', 'done']);
    expect((await follow(of.user, of.briefId, '?cursor=9999')).map(({ event }) => event)).toEqual(['done']);
  });

  it('answers 404 to another user, 422 to a cursor that is none', async () => {
    const of = await ready();
    const stranger = await newUser();
    expect((await stranger.get(`/briefs/${of.briefId}/events`)).status).toBe(404);
    expect((await of.user.get(`/briefs/${of.briefId}/events?cursor=-1`)).status).toBe(422);
  });
});

describe('POST /briefs/{brief_id}/sections/{section_type}/regenerate', () => {
  it('answers 200 at once with the new revision, for each section [R608 R645 R646]', async () => {
    const of = await ready();
    for (const [place, section] of SECTIONS.entries()) {
      const answer = await regenerate(of.user, of.briefId, section);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ status: 'regenerating', section_type: section, revision: place + 2 });
    }
    const { body } = await settled(of.user, of.briefId);
    expect(body).toMatchObject({ status: 'ready', revision: 8 });
  });

  it('leaves the other sections as they are', async () => {
    const of = await ready();
    const before = (await of.user.get(`/briefs/${of.briefId}`)).body;
    await regenerate(of.user, of.briefId, 'positioning');
    const { body } = await settled(of.user, of.briefId);
    for (const section of SECTIONS) if (section !== 'positioning') expect(body[section]).toEqual(before[section]);
    expect(body['section_meta']).toMatchObject({ positioning: { revision: 2 }, features: { revision: 1 } });
  });

  it('answers 422 to an unknown section, 404 to another user [R645]', async () => {
    const of = await ready();
    expect((await regenerate(of.user, of.briefId, 'summary')).status).toBe(422);
    expect((await regenerate(await newUser(), of.briefId, 'features')).status).toBe(404);
  });
});

describe('GET /briefs/{brief_id}/diff', () => {
  it('compares with the previous revision, or with the one that is named [R647 R648 R649]', async () => {
    const of = await ready();
    for (const section of ['positioning', 'mvp_angle']) await regenerate(of.user, of.briefId, section);
    await settled(of.user, of.briefId);
    const previous = await of.user.get(`/briefs/${of.briefId}/diff`);
    expect(previous.status).toBe(200);
    expect(previous.body).toMatchObject({ from_revision: 2, to_revision: 3, changes: anyNumber(), diff: anyList() });
    const first = await of.user.get(`/briefs/${of.briefId}/diff?from_revision=1`);
    expect(first.body).toMatchObject({ from_revision: 1, to_revision: 3 });
    const diff = first.body['diff'] as { section_type: string; change: string }[];
    expect(diff).toHaveLength(Number(first.body['changes']));
    for (const entry of diff) {
      expect(['positioning', 'mvp_angle']).toContain(entry.section_type);
      expect(entry.change).toBe('modified');
    }
  });

  it('finds no change in a brief of one revision', async () => {
    const of = await ready();
    expect((await of.user.get(`/briefs/${of.briefId}/diff`)).body).toEqual({ from_revision: 1, to_revision: 1, changes: 0, diff: [] });
  });

  it('answers 422 to a revision that there is not, 404 to another user [R647]', async () => {
    const of = await ready();
    for (const revision of ['2', '0', 'x', '-1'])
      expect((await of.user.get(`/briefs/${of.briefId}/diff?from_revision=${revision}`)).status).toBe(422);
    expect((await (await newUser()).get(`/briefs/${of.briefId}/diff`)).status).toBe(404);
  });
});

describe('POST /briefs/{brief_id}/build', () => {
  it('answers 201 with a graph of the features that were selected [R651]', async () => {
    const of = await ready();
    const answer = await of.user.post(`/briefs/${of.briefId}/build`);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({ graph_id: uuid(), features_selected: anyNumber() });
    const graph = await of.user.get(`/build-graphs/${String(answer.body['graph_id'])}`);
    expect(graph.body).toMatchObject({ project_id: of.projectId });
    expect(graph.body['selected_features']).toHaveLength(Number(answer.body['features_selected']));
  });

  it('answers 404 to another user [R032]', async () => {
    const of = await ready();
    expect((await (await newUser()).post(`/briefs/${of.briefId}/build`)).status).toBe(404);
  });
});

describe('DELETE /briefs/{brief_id}', () => {
  it('answers 204, after which it is gone [R643]', async () => {
    const of = await ready();
    const answer = await of.user.delete(`/briefs/${of.briefId}`);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    for (const path of ['', '/events', '/diff']) expect((await of.user.get(`/briefs/${of.briefId}${path}`)).status).toBe(404);
    expect((await of.user.delete(`/briefs/${of.briefId}`)).status).toBe(404);
  });

  it('answers 404 to another user, who changes nothing [R032]', async () => {
    const of = await ready();
    expect((await (await newUser()).delete(`/briefs/${of.briefId}`)).status).toBe(404);
    expect((await of.user.get(`/briefs/${of.briefId}`)).status).toBe(200);
  });
});

describe('a project with a brief', () => {
  it('shows it on its home and in its tab [R181 R186]', async () => {
    const of = await ready();
    const home = await of.user.get(`/projects/${of.projectId}/home`);
    expect(home.body['briefs']).toEqual([{ id: of.briefId, audience: null, share_url: anyString(), created_at: timestamp() }]);
    const tab = await of.user.get(`/projects/${of.projectId}/tabs/briefs`);
    expect(tab.body).toMatchObject({ tab: 'briefs', items: [{ id: of.briefId }], has_more: false });
  });

  it('takes it along when it is deleted', async () => {
    const of = await ready();
    await of.user.delete(`/projects/${of.projectId}`);
    expect((await of.user.get(`/briefs/${of.briefId}`)).status).toBe(404);
  });
});
