import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { DomainEvent } from '#platform/domain-events/domain-events.ts';
import type { Job } from '#platform/jobs/define-job.ts';

/** A document under `v`, a version in a column beside it, or why it needs none. */
const DOCUMENT = 'document';
const COLUMN = 'column';
const COLUMNS: Record<string, string> = {
  'brief_revisions.entry': DOCUMENT,
  'brief_sections.content': DOCUMENT,
  'brief_sections.error': DOCUMENT,
  'brief_sections.quality': DOCUMENT,
  'brief_sections.sources': DOCUMENT,
  'brief_texts.content': DOCUMENT,
  'briefs.engine': DOCUMENT,
  'briefs.error': DOCUMENT,
  'briefs.progress': DOCUMENT,
  'briefs.warnings': DOCUMENT,
  'build_graphs.engine': DOCUMENT,
  'build_graphs.error': DOCUMENT,
  'build_graphs.selected_features': DOCUMENT,
  'build_graphs.warnings': DOCUMENT,
  'build_nodes.acceptance_criteria': DOCUMENT,
  'build_nodes.evidence_ids': DOCUMENT,
  'build_nodes.feature_ids': DOCUMENT,
  'build_nodes.mitigations': DOCUMENT,
  'build_nodes.origin': DOCUMENT,
  'build_nodes.risk_reasons': DOCUMENT,
  'cards.body': DOCUMENT,
  'cards.cta_actions': DOCUMENT,
  'checkpoints.output': COLUMN,
  'checkpoints.usage': DOCUMENT,
  'content_pages.page': DOCUMENT,
  'domain_events.actor': DOCUMENT,
  'domain_events.payload': COLUMN,
  'feature_research_jobs.engine': DOCUMENT,
  'feature_research_jobs.error': DOCUMENT,
  'feature_research_jobs.results': DOCUMENT,
  'feature_research_jobs.selected_features': DOCUMENT,
  'notifications.message': DOCUMENT,
  'product_cards.interpretation': DOCUMENT,
  'research_jobs.artifact': DOCUMENT,
  'research_jobs.engine': DOCUMENT,
  'research_jobs.error': DOCUMENT,
  'research_jobs.interpretation': DOCUMENT,
  'runs.decisions': COLUMN,
  'runs.payload': COLUMN,
  'runs.question': COLUMN,
  'runs.warnings': COLUMN,
  'schedules.payload': DOCUMENT,
  'schedules.timing': DOCUMENT,
  'toasts.metadata': DOCUMENT,
  'behavioral_events.metadata': 'the client’s own, and never read',
  'stream_events.data': 'what went over the wire, sent again as it is',
};

const app = await startTestApp();
const { db } = app.ctx;
afterAll(() => app.dispose());

const columnsOf = (how: string) =>
  Object.entries(COLUMNS)
    .filter(([, each]) => each === how)
    .map(([column]) => column);
const tableOf = (column: string) => column.split('.')[0] ?? '';

async function rowsOf<T>(statement: string): Promise<T[]> {
  return (await sql.raw<T>(statement).execute(db)).rows;
}

describe('what is stored as JSON', () => {
  it('is versioned, or it is said why not', async () => {
    const found = await rowsOf<{ name: string }>(`
      select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type in ('json', 'jsonb')`);
    expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(COLUMNS).toSorted());
  });

  it('has a version beside it where a column says so', async () => {
    const found = await rowsOf<{ name: string }>(`
      select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'version'`);
    const tables = new Set(found.map(({ name }) => name));
    for (const column of columnsOf(COLUMN)) expect(tables, column).toContain(tableOf(column));
  });

  it('carries its version wherever the service wrote it', async () => {
    const user = await app.user();
    const { body: project } = await user.call('POST', '/projects', { title: 'Receipts', description: 'Scans receipts for couples' });
    const asked = { idea: 'A budgeting app for couples that scans receipts', project_id: project['id'] };
    const research = (await user.call('POST', '/research', asked)).body['job_id'];
    await expect.poll(async () => (await user.call('GET', `/research/${research}/status`)).body['status'], { timeout: 30_000 }).toBe('completed');
    await user.call('POST', '/ideas', { idea: 'A budgeting app for couples that scans receipts' });
    const features = [{ id: 'scan', name: 'Receipt scanning' }];
    const own = await user.call('POST', '/feature-research', { features, idea: asked.idea, project_id: project['id'] });
    const brief = (await user.call('POST', '/briefs', { project_id: project['id'], research_id: research })).body['brief_id'];
    await expect.poll(async () => (await user.call('GET', `/briefs/${brief}`)).body['status'], { timeout: 30_000 }).toBe('ready');
    expect((await user.call('POST', `/briefs/${brief}/publish-clip`)).status).toBe(200);
    const chosen = [{ id: 'scan', label: 'Receipt scanning', source: 'user' }];
    expect((await user.call('POST', '/build-graphs', { idea: asked.idea, features: chosen })).status).toBeLessThan(300);
    const done = async () => (await rowsOf('select from runs')).length;
    await expect.poll(done, { timeout: 30_000 }).toBe(0);
    expect(own.status).toBeLessThan(300);

    const written: Record<string, number> = {};
    const bare: string[] = [];
    for (const column of columnsOf(DOCUMENT)) {
      const [row] = await rowsOf<{ all: number; bare: number }>(`
        select count(*)::int as all, count(*) filter (where ${column.split('.')[1]} ->> 'v' is null)::int as bare
          from ${tableOf(column)} where ${column.split('.')[1]} is not null`);
      written[column] = row?.all ?? 0;
      if (row?.bare) bare.push(column);
    }
    expect(bare).toEqual([]);
    const unseen = Object.keys(written).filter((column) => written[column] === 0);
    // What only failures, pull requests, models and publishers write, and what is gone with its run.
    expect(unseen.toSorted()).toEqual([
      'brief_revisions.entry',
      'brief_sections.error',
      'briefs.error',
      'briefs.progress',
      'build_graphs.error',
      'checkpoints.usage',
      'feature_research_jobs.error',
      'research_jobs.error',
      'toasts.metadata',
    ]);
  });
});

const FEATURES = join(import.meta.dirname, '../../src/features');
const stored = <T>(name: string): T => JSON.parse(readFileSync(join(import.meta.dirname, 'stored', name), 'utf8')) as T;
const modules = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('events.ts'));
const declared = (await Promise.all(modules.map((path) => import(join(FEATURES, path))))).flatMap((exports: object) =>
  Object.values(exports),
) as unknown[];
const isNamed = (value: unknown): value is { name: string } => typeof value === 'object' && value !== null && 'name' in value;
const events = declared.filter((value): value is DomainEvent => isNamed(value) && 'read' in value);
const jobs = declared.filter((value): value is Job => isNamed(value) && 'retries' in value);

describe('a domain event', () => {
  const rows = stored<Record<string, Record<string, object>>>('events.json');

  it.each(events.map((event) => [event.name, event] as const))('%s is read from what each version stored', (name, event) => {
    for (let version = 1; version <= event.version; version += 1) {
      const row = rows[name]?.[version];
      expect(row, `version ${version} of ${name} in stored/events.json`).toBeDefined();
      const read = event.read(row, version);
      expect(event.read(read, event.version)).toEqual(read);
    }
  });
});

describe('the job of a run', () => {
  it.each(Object.entries(stored<Record<string, object[]>>('run-jobs.json')))('%s takes up what was queued', (name, rows) => {
    const job = jobs.find((each) => each.name === name);
    for (const row of rows) expect(job?.payload.parse(row)).toEqual(row);
  });
});
