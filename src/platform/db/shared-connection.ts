import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

const BEGINS = /^(?:begin|start transaction[^;]*)$/i;
const ENDS = /^(?:commit|rollback)$/i;
/** A text of several statements with a transaction of its own. */
const WHOLE = /^\s*begin\b[^;]*;/i;

type Lease = { query(text: string, values?: unknown[]): Promise<pg.QueryResult>; release(): void };

/**
 * One pipelined connection with the interface of a pool. Statements go out without waiting for the answers to those
 * before them; while somebody's transaction is open everybody else's wait.
 */
export class SharedConnection implements PostgresPool {
  readonly options = {};
  readonly #client: pg.Client;
  #inTransaction: Lease | null = null;
  readonly #waiting: (() => void)[] = [];

  constructor(client: pg.Client) {
    this.#client = client;
  }

  async connect(): Promise<PostgresPoolClient> {
    const lease: Lease = {
      query: (text, values) => this.#query(lease, text, values),
      release: () => {
        if (this.#inTransaction === lease) this.#rollBack();
      },
    };
    // Cursors, the other way to ask, cannot share a connection.
    return lease as unknown as PostgresPoolClient;
  }

  async end(): Promise<void> {
    await this.#client.end();
  }

  #query(lease: Lease, text: string, values?: unknown[]): Promise<pg.QueryResult> {
    if (this.#inTransaction === lease) return this.#goOn(text, values);
    if (!this.#inTransaction) return this.#start(lease, text, values);
    return new Promise((resolve) => this.#waiting.push(() => resolve(this.#start(lease, text, values))));
  }

  async #start(lease: Lease, text: string, values?: unknown[]): Promise<pg.QueryResult> {
    if (BEGINS.test(text)) {
      this.#inTransaction = lease;
      // Nothing is to be learnt from the answer, so the first statement goes out with it.
      this.#client.query(text).catch(() => {});
      return { command: 'BEGIN', rowCount: 0, rows: [], oid: 0, fields: [] };
    }
    if (!WHOLE.test(text)) return this.#client.query(text, values);
    this.#inTransaction = lease;
    try {
      const result = await this.#client.query(text, values);
      this.#letOn();
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #goOn(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    const answer = this.#client.query(text, values);
    if (ENDS.test(text)) this.#letOn();
    return answer;
  }

  #rollBack(): void {
    this.#client.query('rollback').catch(() => {});
    this.#letOn();
  }

  #letOn(): void {
    this.#inTransaction = null;
    while (!this.#inTransaction) {
      const next = this.#waiting.shift();
      if (!next) return;
      next();
    }
  }
}
