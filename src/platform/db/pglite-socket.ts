import { Duplex } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';

/**
 * What node-postgres takes for its network socket, with an embedded database at the other end. It writes each statement
 * as one piece, and the database answers each piece as a whole; other work of the process has its turn before every
 * answer. Source of the messages: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export class PgliteSocket extends Duplex {
  readonly #lite: PGlite;

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

  override _write(piece: Buffer, _encoding: string, written: (error?: Error) => void): void {
    this.#ask(piece, written);
  }

  override _writev(pieces: { chunk: Buffer }[], written: (error?: Error) => void): void {
    this.#ask(Buffer.concat(pieces.map(({ chunk }) => chunk)), written);
  }

  override _final(ended: () => void): void {
    this.push(null);
    ended();
  }

  #ask(messages: Buffer, written: (error?: Error) => void): void {
    const answered = (bytes: Uint8Array) => void this.push(Buffer.from(bytes));
    // What the database itself refuses comes as an answer; a failure here is the end of it.
    setImmediate(() => this.#lite.execProtocolRawStream(messages, { onRawData: answered, syncToFs: false }).then(() => written(), written));
  }
}
