import type { Caller } from './callers.ts';
import { longText, oddJson, oddNumber, oddText, plainText } from './odd-values.ts';
import type { Schema } from '../../tests/contract/json-schema.ts';
import { uuidFrom, type Random } from './random.ts';

export type Making = { random: Random; caller: Caller; family: string };

/** A value that the schema accepts, at its bounds now and then. */
export function validValue(schema: Schema, making: Making, name = ''): unknown {
  const { random } = making;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return validValue(random.pick(choices), making, name);
  switch (Array.isArray(schema.type) ? random.pick(schema.type) : schema.type) {
    case 'object':
      return objectOf(schema, making);
    case 'array':
      return Array.from({ length: lengthOf(schema.minItems ?? 0, schema.maxItems ?? 3, random) }, () => validValue(schema.items ?? {}, making, name));
    case 'string':
      return textOf(schema, making, name);
    case 'integer':
    case 'number':
      return random.pick([schema.minimum ?? 0, schema.maximum ?? 100, (schema.minimum ?? 0) + random.int(5)]);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return schema.$ref ? {} : oddJson(random, 3);
  }
}

function objectOf({ properties = {}, required = [] }: Schema, making: Making): Record<string, unknown> {
  const entries = Object.entries(properties).filter(([name]) => required.includes(name) || making.random.chance(0.6));
  return Object.fromEntries(entries.map(([name, property]) => [name, validValue(property, making, name)]));
}

function textOf({ format, minLength = 0, maxLength = 200 }: Schema, { random, caller, family }: Making, name: string): string {
  if (format === 'uuid') return caller.idFor(family, name, random) ?? uuidFrom(random);
  if (format === 'date-time') return new Date(random.int(2 ** 31) * 1000).toISOString();
  if (random.chance(0.8)) return plainText(random).slice(0, maxLength).padEnd(minLength, 'x');
  return longText(random, random.pick([minLength, maxLength, Math.min(maxLength, 60)]));
}

/** Mostly few, at the bounds now and then. */
const lengthOf = (least: number, most: number, random: Random): number =>
  random.chance(0.1) ? most : Math.min(most, Math.max(least, random.int(4)));

/** A valid value that one to three changes have made wrong, or odd. */
export function mutated(value: unknown, schema: Schema, { random }: Making): unknown {
  let changed = value;
  for (let count = 1 + random.int(3); count > 0; count -= 1) changed = changedOnce(changed, schema, random);
  return changed;
}

function changedOnce(value: unknown, schema: Schema, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const at = random.int(value.length);
    return random.chance(0.2)
      ? Array.from({ length: 300 }, () => value[at] as unknown)
      : value.with(at, changedOnce(value[at], schema.items ?? {}, random));
  }
  if (typeof value === 'object' && value !== null && random.chance(0.85)) return changedObject(value as Record<string, unknown>, schema, random);
  if (typeof value === 'number' && random.chance(0.7)) return oddNumber(random);
  if (typeof value === 'string' && random.chance(0.7))
    return random.chance(0.5) ? oddText(random) : longText(random, (schema.maxLength ?? 200) + random.int(3) - 1);
  return oddJson(random);
}

function changedObject(value: Record<string, unknown>, { properties = {} }: Schema, random: Random): Record<string, unknown> {
  const names = [...new Set([...Object.keys(value), ...Object.keys(properties)])];
  if (names.length === 0 || random.chance(0.1)) return { ...value, [oddText(random)]: oddJson(random) };
  const name = random.pick(names);
  if (random.chance(0.15)) return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  return { ...value, [name]: changedOnce(value[name], properties[name] ?? {}, random) };
}
