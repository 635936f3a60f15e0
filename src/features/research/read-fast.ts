import type { Interpretation } from './analyst.ts';
import { ContentlessIdea } from './analyst.ts';
import { ruleAnalyst } from './rule-analyst/rule-analyst.ts';

/** A first reading of an idea without asking anybody: by the rules, in milliseconds. Null when the text says nothing. */
export async function readFast(idea: string): Promise<Interpretation | null> {
  try {
    return await ruleAnalyst().interpret(idea, QUIET);
  } catch (error) {
    if (error instanceof ContentlessIdea) return null;
    throw error;
  }
}

const QUIET = { signal: new AbortController().signal, attempt: 1, emit: async () => {}, progress: async () => {}, spend: () => {} };
