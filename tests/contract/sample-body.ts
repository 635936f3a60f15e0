import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Schema } from './json-schema.ts';

/** A body that a schema accepts, every property filled in. Only the shapes that bodies here have. */
export const sampleBody = (schema: z.ZodType): unknown => sampleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema);

function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice) return sampleOf(choice);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sampleOf(property)]));
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => sampleOf(schema.items ?? {}));
    case 'string':
      return textOf(schema);
    case 'number':
    case 'integer':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function textOf({ format, minLength = 0 }: Schema): string {
  if (format === 'uuid') return randomUUID();
  if (format === 'date-time') return new Date(0).toISOString();
  if (format === 'uri') return 'https://example.org/';
  if (format === 'email') return 'someone@example.org';
  return 'A habit tracking app with streaks'.padEnd(minLength, '.');
}
