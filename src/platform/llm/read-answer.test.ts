import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf, readAnswer } from './read-answer.ts';

const Reply = z.object({ word: z.string(), tags: z.array(z.string()).default([]) });

describe('readAnswer', () => {
  it.each([
    ['plain', '{"word":"a } b"}'],
    ['fenced', 'Here:\n```json\n{"word":"a } b"}\n```\nDone {really}.'],
    ['after prose', 'The answer is {"word":"a } b"} as you asked.'],
    ['after thinking', '<think>{"word":1}</think>\n{"word":"a } b"}'],
    ['after a fence with another shape', '```json\n{"draft":true}\n```\n```json\n{"word":"a } b"}\n```'],
  ])('finds the object in a %s answer', (_kind, text) => {
    expect(readAnswer(text, Reply)).toEqual({ ok: true, object: { word: 'a } b', tags: [] } });
  });

  it.each([
    ['', 'empty'],
    ['I cannot do that.', 'no JSON'],
    ['{"word":"a"', 'not valid JSON'],
    ['{"word":5}', 'expected string'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(readAnswer(text, Reply)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });
});

it('asks the server for every property, also those that may be left out', () => {
  expect(jsonSchemaOf(Reply)).toMatchObject({ required: ['word', 'tags'], additionalProperties: false });
  expect(JSON.stringify(jsonSchemaOf(Reply))).not.toContain('default');
});
