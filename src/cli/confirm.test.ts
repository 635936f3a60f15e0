import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { confirm } from './confirm.ts';

function ask(signal = new AbortController().signal) {
  const [input, output] = [new PassThrough(), new PassThrough().setEncoding('utf8')];
  return { input, output, answer: confirm('Delete it?', { input, output }, signal) };
}

describe('a question before something is deleted', () => {
  it.each([
    ['y\n', true],
    ['YES\r\nno\n', true],
    ['\n', false],
    ['yesterday\n', false],
    ['', false],
    ['y', true],
  ])('takes %j for %j', async (text, expected) => {
    const { input, output, answer } = ask();
    input.end(text);
    expect(await answer).toBe(expected);
    expect(output.read()).toBe(`Delete it? [y/N] ${text === '' ? '\n' : ''}`);
  });

  it('ends when the user interrupts, before and while it waits', async () => {
    const stop = new AbortController();
    const { answer } = ask(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    await expect(ask(stop.signal).answer).rejects.toThrow('stopped');
  });
});
