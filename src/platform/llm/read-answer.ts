import { z } from 'zod';
import { mapTexts } from '#lib/map-texts.ts';
import { readJson } from '#lib/read-json.ts';
import { storable, truncate } from '#lib/text.ts';

export type Read<T> = { ok: true; object: T } | { ok: false; problem: string };

export type JsonSchema = z.core.JSONSchema.JSONSchema;

const PROBLEM_LENGTH = 2000;

const schemas = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON Schema (draft 7) that a server can hold an answer to: every property required, defaults left to our own reading. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = schemas.get(schema);
  if (known) return known;
  const made = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete jsonSchema.default;
    },
  });
  schemas.set(schema, made);
  return made;
}

/** The object in a model's answer, whatever stands around it, or what is wrong with it in words a model can act on. */
export function readAnswer<T>(text: string, schema: z.ZodType<T>): Read<T> {
  const candidates = candidatesIn(text);
  if (candidates.length === 0) return { ok: false, problem: text.trim() ? 'it holds no JSON object' : 'it was empty' };
  let problem = '';
  for (const candidate of candidates) {
    const parsed = parseJson(candidate);
    if (!parsed.ok) {
      problem ||= parsed.problem;
      continue;
    }
    const checked = schema.safeParse(parsed.object);
    if (checked.success) return { ok: true, object: mapTexts(checked.data, storable) };
    problem = truncate(z.prettifyError(checked.error), PROBLEM_LENGTH);
  }
  return { ok: false, problem };
}

function parseJson(text: string): Read<unknown> {
  try {
    return { ok: true, object: readJson(text) };
  } catch (error) {
    return { ok: false, problem: `it is not valid JSON (${error instanceof Error ? error.message : 'syntax error'})` };
  }
}

/** The places where the JSON may stand, likeliest first: the whole text, fenced blocks, the first balanced object or array. */
function candidatesIn(text: string): string[] {
  const said = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  if (/^[[{]/.test(said) && /[\]}]$/.test(said)) return [said];
  const fenced = [...said.matchAll(/```[a-z]*\s*\n([\s\S]*?)```/gi)].map((match) => (match[1] ?? '').trim()).filter((block) => /^[[{]/.test(block));
  const balanced = balancedFrom(said, said.search(/[[{]/));
  return [...new Set([...fenced, ...(balanced ? [balanced] : [])])];
}

function balancedFrom(text: string, start: number): string | undefined {
  if (start < 0) return undefined;
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return text.slice(start, at + 1);
    }
  }
  return text.slice(start);
}
