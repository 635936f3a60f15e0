import type { Caller } from './callers.ts';

/** How a piece of the attack is sent and what must come of it. */
export type Exchange = {
  /** What it is counted under: an operation, or a kind of malformed request. */
  name: string;
  bytes: Buffer;
  /**
   * `answered`: a whole request, which gets one answer and leaves its connection open.
   * `stream`: the same, whose answer may go on; it is left in the middle.
   * `refused`: not a whole request, or too many; it is answered, or its connection is closed, or both.
   * `left`: the client goes without waiting.
   */
  kind: 'answered' | 'stream' | 'refused' | 'left';
  method: string;
  /** Statuses above 500 that are stated for it. */
  stated: ReadonlySet<number>;
  /** Who learns the ids of the answer, and for which family. */
  learns?: { caller: Caller; family: string };
  /** Whose session it ends. */
  signsOut?: Caller;
};

export type Answer = { status: number; headers: ReadonlyMap<string, string>; body: Buffer };
