import { AsyncLocalStorage } from 'node:async_hooks';
import { Duplex } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';

/**
 * What node-postgres takes for its network socket, with an embedded database at the other end. What is asked in one turn
 * of the process goes to the database together; other work has its turn before the answers.
 * Source of the messages: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export class PgliteSocket extends Duplex {
  readonly #lite: PGlite;
  #pieces: Buffer[] = [];
  /** Bytes of everything asked so far. */
  askedBytes = 0;
  // What many ask together is the work of none of them.
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(lite: PGlite) {
    super();
    this.#lite = lite;
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  // What a network socket has and there is nothing to do for here.
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(piece: Buffer, _encoding: string, written: () => void): void {
    this.#pieces.push(piece);
    this.askedBytes += piece.length;
    if (this.#pieces.length === 1) setImmediate(() => this.#outside(() => void this.#ask()));
    written();
  }

  override _final(ended: () => void): void {
    this.push(null);
    ended();
  }

  async #ask(): Promise<void> {
    const messages = Buffer.concat(this.#pieces);
    this.#pieces = [];
    try {
      await this.#lite.execProtocolRawStream(messages, { onRawData: (bytes) => void this.push(Buffer.from(bytes)), syncToFs: false });
    } catch (error) {
      // What the database itself refuses comes as an answer; a failure here is the end of it.
      this.destroy(error as Error);
    }
  }
}
