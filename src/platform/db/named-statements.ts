import pg from 'pg';
import { sha256 } from '../../lib/ids.ts';

type Failure = { code?: unknown } | null | undefined;
type Answered = (error: Failure, result: unknown) => void;
type Statement = { name: string; text: string; values: unknown[] };

/** As node-postgres works, without its many overloads. */
type LooseClient = new (config?: string | pg.ClientConfig) => {
  query(statement: unknown, values?: unknown, answered?: unknown): unknown;
  getTransactionStatus(): string | null;
  connection: { parsedStatements: Record<string, string | undefined> };
};

const MOST_NAMES = 500;
export type NamedStatementsOptions = {
  /** How many texts get a name. */
  most?: number;
  /** Whether other callers' statements may come between a failure and its repetition: then nothing is run again. */
  isShared?: boolean;
};

/** What a name ends with when its result changed shape, when the server has lost it, and when the server had it before. */
const CHANGED = '0A000';
const LOST = '26000';
const PRESENT = '42P05';

/**
 * A client whose parametrised statements have names, so that PostgreSQL parses each text once per connection. The first
 * `most` different texts are named, over all connections of the class; one that fails because of its name is run again
 * without one, unless a transaction was lost with it or the connection is shared.
 */
export function namedStatements({ most = MOST_NAMES, isShared = false }: NamedStatementsOptions = {}): typeof pg.Client {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= most) return known;
    // Two texts with one name would be one statement to a proxy that shares connections, so the name says the text.
    const name = `s_${sha256(text).slice(0, 40)}`;
    names.set(text, name);
    return name;
  };

  class NamedClient extends (pg.Client as unknown as LooseClient) {
    readonly #unusable = new Set<string>();

    override query(text: unknown, values?: unknown, answered?: unknown): unknown {
      const statement = this.#named(text, values);
      if (!statement) return super.query(text, values, answered);
      const plainly = (then?: unknown) => super.query(statement.text, statement.values, then);
      if (typeof answered !== 'function') {
        const first = super.query(statement) as Promise<unknown>;
        return first.catch((error: Failure) => {
          if (!this.#mayRepeat(error, statement)) throw error;
          return plainly();
        });
      }
      const done = answered as Answered;
      return super.query(statement, undefined, (error: Failure, result: unknown) => {
        if (error && this.#mayRepeat(error, statement)) plainly(done);
        else done(error, result);
      });
    }

    #named(text: unknown, values: unknown): Statement | null {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return null;
      const name = nameOf(text);
      return name && !this.#unusable.has(name) ? { name, text, values } : null;
    }

    /** Whether the name failed and not the statement, and nothing was lost with it. Sees to it that the name does not fail again. */
    #mayRepeat(error: Failure, { name, text }: Statement): boolean {
      const { parsedStatements } = this.connection;
      switch (error?.code) {
        case CHANGED:
          this.#unusable.add(name);
          break;
        case LOST:
          delete parsedStatements[name];
          break;
        case PRESENT:
          parsedStatements[name] = text;
          break;
        default:
          return false;
      }
      return !isShared && this.getTransactionStatus() === 'I';
    }
  }
  return NamedClient as unknown as typeof pg.Client;
}
