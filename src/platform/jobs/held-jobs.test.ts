import { describe, expect, it } from 'vitest';
import { openHeldJobs, type HeldJob } from './held-jobs.ts';

const held = (kind: string): HeldJob => ({ id: kind, retryCount: 0, kind, abort: new AbortController(), finished: Promise.resolve() });

describe('free places', () => {
  it('are shared evenly among the kinds that want some', () => {
    expect([...openHeldJobs(10, new Map()).share(['a', 'b', 'c'])]).toEqual([
      ['a', 4],
      ['b', 3],
      ['c', 3],
    ]);
  });

  it('that a kind may not have go to the others', () => {
    expect([...openHeldJobs(10, new Map([['a', 1]])).share(['a', 'b'])]).toEqual([
      ['a', 1],
      ['b', 9],
    ]);
  });

  it('go to those first that wait longest where there are too few', () => {
    expect([...openHeldJobs(2, new Map()).share(['a', 'b', 'c']).keys()]).toEqual(['a', 'b']);
  });

  it('are fewer while jobs are at work, and come back', () => {
    const jobs = openHeldJobs(2, new Map([['a', 1]]));
    const job = held('a');
    jobs.add(job);
    expect([...jobs.share(['a', 'b'])]).toEqual([['b', 1]]);
    jobs.remove(job);
    jobs.remove(job);
    expect([...jobs.share(['b'])]).toEqual([['b', 2]]);
  });
});
