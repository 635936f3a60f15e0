/** Speaks HTTP with addresses that others name: with the public web, and nothing else but what the configuration opens. */
export type GuardedFetch = {
  /** What can be decided of an address before anything is asked. @throws FetchRefused */
  check(url: URL): void;
  /**
   * Sends one request, and follows redirects. Every address on the way is checked, and so is what each name leads to.
   * @throws FetchRefused, FetchFailed, the signal's reason, and what `before` and `wantsBody` throw
   */
  fetch(url: URL, request: FetchRequest): Promise<FetchAnswer>;
};

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an earlier answer said by which it can be told whether it still holds. */
export type Validators = { etag?: string; lastModified?: string };

export type FetchRequest = {
  signal: AbortSignal;
  /** GET without. */
  method?: Method;
  /** By lower-case name. They go to the origin of the address alone, not to where it redirects. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Asks for the body only when it is another by now; else the answer is `notModified`. */
  unless?: Validators;
  /** Bytes of the answer's body, as transferred and as decompressed; 2,000,000 without. */
  maxBytes?: number;
  /** Cuts a longer body at the limit instead of failing. */
  cutAtLimit?: boolean;
  /** Time for each request on the way once it has its turn; 10,000 without. */
  milliseconds?: number;
  /** How many redirects are followed; 5 for GET and HEAD, else 0. The answer after the last one is given as it is where this is 0. */
  redirects?: number;
  /** Sees every address on the way before it is asked. */
  before?(url: URL): Promise<void>;
  /** Decides from status and headers whether the body is read; without, it is. */
  wantsBody?(head: Head): boolean;
};

export type Head = { status: number; header(name: string): string | undefined };

/** `url` is where redirects ended; `body` is decoded, and empty where it was not wanted or did not change. */
export type FetchAnswer = Head & { url: URL; body: Buffer; notModified: boolean; validators: Validators };

/** The address must not be asked: it is not public, or it is denied. */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
}

export type FetchFailure = 'network' | 'redirects' | 'size' | 'encoding' | 'timeout';

/** There is no usable answer; the sentence says why. */
export class FetchFailed extends Error {
  override name = 'FetchFailed';
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.reason = reason;
  }
}
