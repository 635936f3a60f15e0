/** Text messages to phones. */
export type TextMessages = {
  /**
   * Hands a message over; whether it arrives is the network's matter. However often one is sent under its key, it goes out
   * once, as far as the other side lets that be known.
   * @throws TextMessageFailed
   */
  send(message: TextMessage): Promise<{ id: string }>;
};

export type TextMessage = {
  /** E.164, such as +14155550123. */
  to: string;
  body: string;
  /** Stands for this message; names no secret. */
  key: string;
};

/**
 * `number`: this number takes no messages. `busy`: later it may go. `refused`: the service does not take it from this
 * installation. `unclear`: nobody can say whether it went out; the same key may be sent again.
 */
export type TextMessageFailure = 'number' | 'busy' | 'refused' | 'unclear';

/** A message was not handed over; the sentence says why, and holds nothing of it. */
export class TextMessageFailed extends Error {
  override name = 'TextMessageFailed';
  readonly reason: TextMessageFailure;

  constructor(reason: TextMessageFailure, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.reason = reason;
  }
}
