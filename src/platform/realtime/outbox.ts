import type { Frame } from './frames.ts';

/** What waits to be written to one socket: at most so many bytes, or one frame that is larger than that. */
export class Outbox {
  readonly #mostBytes: number;
  #frames: Frame[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  hasRoomFor(frame: Frame): boolean {
    return this.#frames.length === 0 || this.#bytes + frame.bytes.length <= this.#mostBytes;
  }

  add(frame: Frame): void {
    this.#frames.push(frame);
    this.#bytes += frame.bytes.length;
  }

  /** Drops the oldest frame that may be missed; false when there is none. */
  dropOldest(): boolean {
    const place = this.#frames.findIndex(({ droppable }) => droppable);
    if (place < 0) return false;
    const [gone] = this.#frames.splice(place, 1);
    this.#bytes -= gone?.bytes.length ?? 0;
    return true;
  }

  /** All that waits; the outbox is empty afterwards. */
  take(): readonly Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    return frames;
  }
}
