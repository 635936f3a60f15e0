import { describe, expect, it } from 'vitest';
import { displayWidth } from '#platform/rendering/terminal/display-width.ts';
import type { ProjectItem } from './find-project.ts';
import { projectTable } from './project-table.ts';

const project = (changes: Partial<ProjectItem> = {}): ProjectItem => ({
  project_id: 'dd8662f6-56eb-47f1-96d1-3e57c749e2aa',
  state: 'researching',
  quality_score: 47.4,
  short_title: 'Learning Grocery List',
  short_description: 'A shared grocery list that learns what a household runs out of',
  research_count: 1,
  graph_count: 0,
  updated_at: '2026-11-23T10:00:00Z',
  ...changes,
});

const widest = (text: string): number => Math.max(...text.split('\n').map(displayWidth));

describe('the table of projects', () => {
  it('is whole where it is not shown on a terminal', () => {
    expect(projectTable([project(), project({ short_title: 'New', research_count: 0, state: 'draft' })])).toBe(
      [
        'Project                State        Score  Research  Changed     Id                                    What it is',
        'Learning Grocery List  researching  47     1         2026-11-23  dd8662f6-56eb-47f1-96d1-3e57c749e2aa  A shared grocery list that learns what a household runs out of',
        'New                    draft        –      0         2026-11-23  dd8662f6-56eb-47f1-96d1-3e57c749e2aa  A shared grocery list that learns what a household runs out of',
        '',
      ].join('\n'),
    );
  });

  it('fits a terminal, down to lines of its own for each project', () => {
    expect(projectTable([project()], 100)).toBe(
      [
        'Project                State        Score  Research  Changed     Id        What it is',
        'Learning Grocery List  researching  47     1         2026-11-23  dd8662f6  A shared grocery list th…',
        '',
      ].join('\n'),
    );
    expect(widest(projectTable([project()], 80))).toBeLessThanOrEqual(80);
    const narrow = projectTable([project(), project({ short_title: 'Ü'.repeat(50) })], 40);
    expect(narrow).toMatch(/^Learning Grocery List\n {2}researching, score 47, 1 research,\n {2}2026-11-23, dd8662f6/);
    expect(widest(narrow)).toBeLessThanOrEqual(40);
  });

  it('tells projects apart whose ids begin alike', () => {
    const alike = [project(), project({ project_id: 'dd8662f6-56ec-47f1-96d1-3e57c749e2aa' })];
    expect(projectTable(alike, 120)).toMatch(/dd8662f6-56eb {2}A[^]*dd8662f6-56ec {2}A/);
  });
});
