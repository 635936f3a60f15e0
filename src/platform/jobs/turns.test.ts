import { describe, expect, it } from 'vitest';
import { newGate } from '#testing/factories.ts';
import { openTurns } from './turns.ts';

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Turns whose work says when it begins and ends when it is let. */
function newTurns() {
  const turns = openTurns();
  const begun: string[] = [];
  const begin = (how: 'shared' | 'alone', name: string, signal = never) => {
    const gate = newGate();
    const release = gate.close();
    const ended = turns[how](async () => {
      begun.push(name);
      await gate.pass();
    }, signal);
    ended.catch(() => {});
    return { release, ended };
  };
  return { begun, begin };
}

describe('turns', () => {
  it('go on side by side', async () => {
    const { begun, begin } = newTurns();
    begin('shared', 'a');
    begin('shared', 'b');
    await settle();
    expect(begun).toEqual(['a', 'b']);
  });

  it('give one that wants to be alone its turn when the others have ended, and hold later ones up', async () => {
    const { begun, begin } = newTurns();
    const a = begin('shared', 'a');
    const alone = begin('alone', 'alone');
    const b = begin('shared', 'b');
    const second = begin('alone', 'second');
    await settle();
    expect(begun).toEqual(['a']);
    a.release();
    await settle();
    expect(begun).toEqual(['a', 'alone']);
    alone.release();
    await settle();
    expect(begun).toEqual(['a', 'alone', 'b']);
    b.release();
    await settle();
    expect(begun).toEqual(['a', 'alone', 'b', 'second']);
    second.release();
    await second.ended;
  });

  it('let others in when the one that waits to be alone is stopped', async () => {
    const { begun, begin } = newTurns();
    begin('shared', 'a');
    const stopped = new AbortController();
    const alone = begin('alone', 'alone', stopped.signal);
    begin('shared', 'b');
    stopped.abort(new Error('stopped'));
    await expect(alone.ended).rejects.toThrow('stopped');
    await settle();
    expect(begun).toEqual(['a', 'b']);
  });

  it('go on after work that failed', async () => {
    const turns = openTurns();
    await expect(turns.alone(() => Promise.reject(new Error('no')), never)).rejects.toThrow('no');
    expect(await turns.shared(async () => 1, never)).toBe(1);
  });
});
