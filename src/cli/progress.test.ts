import { describe, expect, it } from 'vitest';
import { sampleArtifact } from '../../tests/cli/sample-artifact.ts';
import { changes } from './progress-display.ts';
import { advance, atStart, RESEARCH_STAGES, type ProgressEvent } from './progress.ts';

const stage = (name: string, status: 'started' | 'completed' | 'failed'): ProgressEvent => ({ event: 'stage', data: { name, status } });

const begin = atStart(RESEARCH_STAGES);

/** The state after events that come a second apart, from second 1 on. */
const after = (...events: ProgressEvent[]) => events.reduce((state, event, index) => advance(state, event, (index + 1) * 1000), begin);

const find = (state: ReturnType<typeof after>, name: string) => state.stages.find((entry) => entry.name === name);

describe('progress', () => {
  it('times each stage from its start to its end', () => {
    const state = after(stage('interpret', 'started'), stage('interpret', 'completed'), stage('search', 'started'));
    expect(find(state, 'interpret')).toMatchObject({ status: 'completed', startedAt: 1000, endedAt: 2000 });
    expect(find(state, 'search')).toMatchObject({ status: 'running', startedAt: 3000, endedAt: null });
    expect(find(state, 'judge')).toMatchObject({ status: 'waiting', startedAt: null });
  });

  it('goes on after a stage that failed without ending the run', () => {
    const state = after(stage('judge', 'started'), stage('judge', 'failed'), stage('analyze', 'started'));
    expect(find(state, 'judge')?.status).toBe('failed');
    expect(find(state, 'analyze')?.status).toBe('running');
    expect(state.outcome).toBeNull();
  });

  it('notes what the running stage says, cleaned', () => {
    const said: ProgressEvent = { event: 'progress', data: { message: 'web\u001B[2J is slow\n' } };
    expect(find(after(stage('search', 'started'), said), 'search')?.note).toBe('web is slow');
    expect(find(after(stage('analyze', 'started'), { event: 'retry', data: { attempt: 1, source: 'analyze' } }), 'analyze')?.note).toContain(
      'once more',
    );
  });

  it('shows a stage of a newer service too', () => {
    expect(find(after(stage('polish', 'started')), 'polish')).toMatchObject({ label: 'polish', status: 'running' });
  });

  it('says at the end what each stage found, and the warnings', () => {
    const state = after(...['interpret', 'search', 'analyze', 'synthesize'].flatMap((name) => [stage(name, 'started'), stage(name, 'completed')]), {
      event: 'result',
      data: sampleArtifact(),
    });
    expect(find(state, 'search')?.note).toBe('catalogue 2, earlier research none, web off');
    expect(find(state, 'analyze')?.note).toBe('1 incumbent, 1 emerging player, 2 features');
    expect(find(state, 'synthesize')?.note).toBe('Test first, 62 of 100');
    expect(state).toMatchObject({ outcome: null, headline: '', warnings: ['The source "web" failed: no answer within 25 s.'] });
  });

  it('ends when the whole of it ended, and shows what a later run found', () => {
    const state = after(stage('analyze', 'started'), stage('analyze', 'completed'), {
      event: 'found',
      data: { stage: 'analyze', note: '7\u0007 parts' },
    });
    expect(find(state, 'analyze')?.note).toBe('7 parts');
    expect(state.outcome).toBeNull();
    expect(advance(state, { event: 'finished', data: {} }, 9000).outcome).toBe('result');
  });

  it('says that a result was there already, and shows the runs after it alone', () => {
    const longer = atStart({ ...RESEARCH_STAGES, 'graph.llm': 'Lay out the plan' });
    expect(advance(longer, { event: 'result', data: sampleArtifact() }, 1000).stages.map(({ name }) => name)).toEqual(['graph.llm']);
    expect(after({ event: 'result', data: sampleArtifact() }).headline).toContain('researched before');
  });

  it('gives one plain line per change', () => {
    const running = after(stage('interpret', 'started'));
    expect(changes(begin, running)).toEqual(['Understand the idea …']);
    const done = advance(running, stage('interpret', 'completed'), 2500);
    expect(changes(running, done)).toEqual(['Understand the idea: done in 1.5 s']);
    expect(changes(done, done)).toEqual([]);
    const result = advance(done, { event: 'result', data: sampleArtifact() }, 3000);
    expect(changes(done, result)).toEqual(['Understand the idea: Appointment booking', 'Warning: The source "web" failed: no answer within 25 s.']);
  });
});
