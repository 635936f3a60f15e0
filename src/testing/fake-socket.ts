import type { FrameSocket } from '#platform/realtime/hub.ts';

/** A socket that keeps what it was sent; with `isSlow` nothing leaves its buffer. */
export class FakeSocket implements FrameSocket {
  readonly writes: Uint8Array[] = [];
  closed: { code: number; reason: string | undefined } | null = null;
  isSlow = false;
  bufferedAmount = 0;

  unread(): number {
    return this.bufferedAmount;
  }

  writeFrames(frames: Uint8Array): void {
    this.writes.push(frames);
    if (this.isSlow) this.bufferedAmount += frames.length;
  }

  readonly #ended = new AbortController();
  /** Aborts with the socket. */
  readonly signal = this.#ended.signal;

  close(code: number, reason?: string): void {
    this.closed = { code, reason };
    this.leave();
  }

  /** Its client goes away. */
  leave(): void {
    this.#ended.abort();
  }

  /** The messages in all that was written. */
  get messages(): unknown[] {
    return messagesIn(Buffer.concat(this.writes));
  }
}

/** Reads text frames as a client does (RFC 6455, 5.2). */
export function messagesIn(bytes: Buffer): unknown[] {
  const messages: unknown[] = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== 0x81) throw new Error(`no whole text frame at byte ${at}`);
    const short = bytes[at + 1] ?? 0;
    const [length, header] = short < 126 ? [short, 2] : short === 126 ? [bytes.readUInt16BE(at + 2), 4] : [Number(bytes.readBigUInt64BE(at + 2)), 10];
    messages.push(JSON.parse(bytes.toString('utf8', at + header, at + header + length)));
    at += header + length;
  }
  return messages;
}
