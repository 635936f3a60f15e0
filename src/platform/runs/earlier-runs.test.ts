import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { migrating } from '#testing/migrating.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => app.dispose());

const NAME = '0016-runs.sql';
const [GRAPH, NODE, EXPANSION, BRIEF, RESEARCH] = ['1', '2', '3', '4', '5'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

describe('the migration to runs', () => {
  it('knows every run that the version before had under way', async () => {
    await migrating(app.ctx.db, NAME, {
      before: async (tx) => {
        for (const key of [`research:${RESEARCH}`, `build:${GRAPH}`, `brief:${BRIEF}`])
          await sql`insert into streams (key) values (${key})`.execute(tx);
        await sql`insert into checkpoints (run_key, stage, output, started_at) values (${`research:${RESEARCH}`}, 'interpret', '{}', now())`.execute(
          tx,
        );
        await sql`insert into build_graphs (id, user_id, idea, title, source, selected_features) values (${GRAPH}, 'u', 'i', 't', 'user', '[]')`.execute(
          tx,
        );
        await sql`
        insert into build_nodes (id, graph_id, no, node_key, depth, sort_order, name, description, risk, risk_reasons, mitigations, node_status, effort,
          days_low, days_high, acceptance_criteria, feature_ids, evidence_ids, origin)
        values (${NODE}, ${GRAPH}, 1, 'k', 0, 0, 'n', 'd', 'green', '[]', '[]', 'collapsed', 'small', 1, 2, '[]', '[]', '[]', '{}')`.execute(tx);
        await sql`insert into build_expansions (id, graph_id, node_id) values (${EXPANSION}, ${GRAPH}, ${NODE})`.execute(tx);
        await sql`insert into briefs (id, user_id, project_id, title, status, share_token) values (${BRIEF}, 'u', ${BRIEF}, 't', 'ready', 's')`.execute(
          tx,
        );
        for (const revision of [2, 3])
          await sql`insert into brief_rewrites (brief_id, revision, section_type) values (${BRIEF}, ${revision}, 'features')`.execute(tx);
      },
      after: async (tx) => {
        const { rows } = await sql`select key, stream_key, kind, payload from runs order by kind`.execute(tx);
        expect(rows).toEqual([
          { key: `brief:${BRIEF}/rewrites`, stream_key: `brief:${BRIEF}`, kind: 'brief-rewrite', payload: { briefId: BRIEF } },
          {
            key: `build:${GRAPH}/expansion:${EXPANSION}`,
            stream_key: `build:${GRAPH}`,
            kind: 'node-expansion',
            payload: { expansionId: EXPANSION, graphId: GRAPH },
          },
          { key: `research:${RESEARCH}`, stream_key: `research:${RESEARCH}`, kind: 'research', payload: null },
        ]);
      },
    });
  });
});
