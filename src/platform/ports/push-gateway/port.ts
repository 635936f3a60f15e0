/** What a device shows, or with `silent` what its app is woken with. Texts are cut to what the vendor takes. */
export type PushMessage = {
  title: string;
  body: string;
  /** Where the app leads whoever taps on it. */
  deeplink: string | null;
  /** What the app is told beside the texts. */
  data: Readonly<Record<string, unknown>>;
  /** A later push with the same key takes the place of this one on the device. */
  collapseKey: string | null;
  /** From when on it is of no use any more. */
  expiresAt: Date | null;
  /** Shows nothing. */
  silent: boolean;
};

type PushEnvironment = 'production' | 'sandbox';

/** A device: an app's token at Apple, or the subscription of a browser (its keys in base64url, as RFC 8291 names them). */
export type PushTarget =
  | { kind: 'apns'; token: string; environment: PushEnvironment }
  | { kind: 'web_push'; endpoint: string; p256dh: string; auth: string };

export type PushOutcome =
  /** The vendor has it. */
  | { outcome: 'accepted' }
  /** No vendor is configured; it is kept here. */
  | { outcome: 'recorded' }
  /** The device takes none any more, from `since` on; null: since before now. */
  | { outcome: 'gone'; since: Date | null; reason: string }
  /** The vendor does not take this push, whenever it is sent. */
  | { outcome: 'refused'; reason: string };

type PushRequest = {
  /** A UUID that is the same for every try. */
  id: string;
  signal: AbortSignal;
};

/** Sends to one kind of device. @throws PushLater, PushFailed, the signal's reason */
export type PushSender<T extends PushTarget = PushTarget> = {
  send(target: T, message: PushMessage, request: PushRequest): Promise<PushOutcome>;
  close(): Promise<void>;
};

export type PushGateway = PushSender & {
  /** Who sends to a kind of device. */
  via(kind: PushTarget['kind']): 'apns' | 'web_push' | 'built_in';
  /** The public key that browsers subscribe with, in base64url. */
  webPushKey(): Promise<string>;
};

/** The vendor names a moment before which it takes nothing. */
export class PushLater extends Error {
  override name = 'PushLater';
  readonly at: Date;

  constructor(at: Date, reason: string) {
    super(reason);
    this.at = at;
  }
}

/** It could not be sent; another try may do. */
export class PushFailed extends Error {
  override name = 'PushFailed';
}

/** The moment that a Retry-After header names, in either of its forms (RFC 9110, 10.2.3). */
export function retryAt(header: string | undefined, standardMs: number, now = Date.now()): Date {
  const milliseconds = header === undefined ? Number.NaN : /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return new Date(now + (Number.isNaN(milliseconds) ? standardMs : Math.max(milliseconds, 0)));
}
