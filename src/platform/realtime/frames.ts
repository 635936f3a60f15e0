/** A message as it goes out, encoded once for all sockets. Droppable ones make room when a reader is slow. */
export type Frame = { readonly bytes: Buffer; readonly droppable: boolean };

/** One whole text message of a server (RFC 6455, 5.2: final, not masked). */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([headerOf(payload.length), payload]);
}

const TEXT = 0x81;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;

function headerOf(length: number): Buffer {
  if (length < LENGTH_IN_16_BITS) return Buffer.from([TEXT, length]);
  if (length < 0x1_0000) return Buffer.from([TEXT, LENGTH_IN_16_BITS, length >> 8, length & 0xff]);
  const header = Buffer.alloc(10);
  header.writeUInt8(TEXT, 0);
  header.writeUInt8(LENGTH_IN_64_BITS, 1);
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

/** The bytes of several frames behind each other. Sockets that are sent the same ones share them. */
export function frameJoiner(): (frames: readonly Frame[]) => Buffer {
  let last: { frames: readonly Frame[]; bytes: Buffer } | undefined;
  return (frames) => {
    const [first] = frames;
    if (frames.length === 1 && first) return first.bytes;
    if (last?.frames.length === frames.length && last.frames.every((frame, place) => frame === frames[place])) return last.bytes;
    last = { frames: [...frames], bytes: Buffer.concat(frames.map(({ bytes }) => bytes)) };
    return last.bytes;
  };
}
