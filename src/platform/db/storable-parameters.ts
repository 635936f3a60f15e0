import type pg from 'pg';
import { mapTexts } from '#lib/map-texts.ts';
import { storable } from '#lib/text.ts';

/** As node-postgres works, without its many overloads. */
type LooseClient = new (config?: string | pg.ClientConfig) => { query(statement: unknown, values?: unknown, answered?: unknown): unknown };

/**
 * A client that makes every parameter storable before it is sent: the one place where a NUL or a half of a character,
 * from whatever page, model or request, becomes U+FFFD. PostgreSQL takes neither (22P05, 22021).
 */
export function storableParameters(Client: typeof pg.Client): typeof pg.Client {
  class StorableClient extends (Client as unknown as LooseClient) {
    override query(statement: unknown, values?: unknown, answered?: unknown): unknown {
      return super.query(statement, Array.isArray(values) ? values.map(storableParameter) : values, answered);
    }
  }
  return StorableClient as unknown as typeof pg.Client;
}

const storableParameter = (value: unknown): unknown => (typeof value === 'string' ? storableText(value) : mapTexts(value, storable));

/** How `JSON.stringify` writes what cannot be stored. */
const ESCAPED = /\\u(?:0000|d[89a-f][0-9a-f]{2})/;
const JSON_TEXT = /^[[{"]/;

/** A text; where it is JSON, so is every text in it. */
function storableText(text: string): string {
  const plain = storable(text);
  if (!JSON_TEXT.test(plain) || !ESCAPED.test(plain)) return plain;
  try {
    return JSON.stringify(mapTexts(JSON.parse(plain) as unknown, storable));
  } catch {
    // A text that only looks like JSON.
    return plain;
  }
}
