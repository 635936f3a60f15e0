import { readFileSync } from 'node:fs';
import type { Schema } from '../../tests/contract/json-schema.ts';

type Operation = {
  parameters?: { in: 'path' | 'query' | 'header'; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

/** One text that a caller may choose freely, and how to ask with it. */
export type TextField = {
  /** `POST /research body.idea`. */
  name: string;
  method: string;
  /** With the names of its parameters in braces. */
  path: string;
  place: 'path' | 'query' | 'body';
  /** Names of properties down to it; `[]` for every entry of a list, `{}` for a property of any name. */
  steps: readonly string[];
  maxLength: number;
  /** What else the body holds; `sample` fills it. */
  body: Schema | undefined;
};

const UNBOUNDED = 5000;

const document = JSON.parse(readFileSync(new URL('../../tests/contract/openapi.json', import.meta.url), 'utf8')) as Document;

const resolved = (schema: Schema): Schema => (schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema);

/** Every text field of every route of the OpenAPI document: not what is one of a list, an id, a time or a number. */
export function textFields(): TextField[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]): TextField[] => {
      const verb = method.toUpperCase();
      const body = operation.requestBody?.content['application/json']?.schema;
      const found = [
        ...(operation.parameters ?? []).flatMap(({ in: place, name, schema }) =>
          place === 'header' ? [] : textsIn(schema, [name]).map((text) => ({ place, ...text })),
        ),
        ...(body ? textsIn(body, []).map((text) => ({ place: 'body' as const, ...text })) : []),
      ];
      return found.map((field) => ({ ...field, method: verb, path, body, name: `${verb} ${path} ${field.place}.${field.steps.join('.')}` }));
    }),
  );
}

function textsIn(given: Schema, steps: readonly string[]): { steps: readonly string[]; maxLength: number }[] {
  const schema = resolved(given);
  if (schema.enum || schema.const !== undefined || schema.format) return [];
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  const own = [schema.type].flat().includes('string') ? [{ steps, maxLength: schema.maxLength ?? UNBOUNDED }] : [];
  return [
    ...own,
    ...choices.slice(0, 1).flatMap((choice) => textsIn(choice, steps)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => textsIn(property, [...steps, name])),
    ...(schema.items ? textsIn(schema.items, [...steps, '[]']) : []),
    ...(typeof schema.additionalProperties === 'object' ? [{ steps: [...steps, '{}'], maxLength: UNBOUNDED }] : []),
  ];
}

const isList = (given: Schema): boolean => {
  const schema = resolved(given);
  return schema.items !== undefined || (schema.anyOf ?? []).some(isList);
};

/** A value that a schema accepts. @param fill what stands at the field under test, and the ids that properties of a name have */
export function sample(given: Schema, fill: { steps: readonly string[]; text: string; idOf(name: string): string | undefined }, name = ''): unknown {
  const schema = resolved(given);
  const [step, ...rest] = fill.steps;
  const within = (own: string): typeof fill => ({ ...fill, steps: own === step ? rest : OFF });
  if (fill.steps.length === 0) return fill.text;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice) return sample(choice, fill, name);
  switch ([schema.type].flat()[0]) {
    case 'object': {
      if (step === '{}') return { about: fill.text };
      const kept = Object.entries(schema.properties ?? {}).filter(
        ([own, property]) => own === step || (schema.required ?? []).includes(own) || fill.idOf(own) || isList(property),
      );
      return Object.fromEntries(kept.map(([own, property]) => [own, sample(property, within(own), own)]));
    }
    case 'array': {
      const times = step === '[]' ? (schema.maxItems ?? 3) : Math.max(1, schema.minItems ?? 0);
      return Array.from({ length: times }, (_, at) => sample(schema.items ?? {}, within('[]'), `${name} ${at}`));
    }
    case 'string':
      return fill.idOf(name) ?? (schema.maxLength !== undefined && schema.maxLength < 100 ? 'research' : `Habit tracking with streaks ${name}`);
    case 'number':
    case 'integer':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

/** Steps that lead nowhere: everything below is filled in plainly. */
const OFF: readonly string[] = [' '];
