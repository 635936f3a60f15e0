import type { AppContext } from '../context.ts';
import { isFromThisMachine, limitAddress, type Sender } from './client-address.ts';
import type { Caller } from './guards/guard.ts';

type Part = 'params' | 'query' | 'body';

/** Whom a limit counts: a user, an address, the principal, everybody together, or a value of the request. */
type LimitBy = { by: 'user' | 'ip' | 'principal' | 'all' } | { by: 'key'; key: { in: Part; name: string } };

export type Limit = LimitBy & {
  max: number;
  per: 'minute' | 'hour';
  /** Routes with the same bucket share one count; each has its own without. */
  bucket?: string;
  /** Requests that come straight from the machine of the service are not counted. */
  sparesThisMachine?: true;
  /** Most requests of one address in the same time, for what a caller could get around by another name. */
  ofAddress?: number;
};

export const perUser = (max: number, per: Limit['per'] = 'minute', bucket?: string): Limit => ({
  max,
  per,
  by: 'user',
  ...(bucket ? { bucket } : {}),
});
export const perIp = (max: number, per: Limit['per'] = 'minute'): Limit => ({ max, per, by: 'ip' });
export const perPrincipal = (max: number, per: Limit['per'] = 'minute'): Limit => ({ max, per, by: 'principal' });
export const forAll = (max: number, per: Limit['per'] = 'minute'): Limit => ({ max, per, by: 'all' });

/** Counts by a value of the checked request, such as a phone number of the body. */
export const perKey = (part: Part, name: string, max: number, per: Limit['per'] = 'minute'): Limit => ({
  max,
  per,
  by: 'key',
  key: { in: part, name },
});

/**
 * Limits of our own on what spends the operator's money or processor, where the interface states none: above what a
 * person or an ordinary client asks for.
 */
export const OWN_LIMITS = {
  /** Starts work in the background, asks a model, or makes a document. */
  work: perUser(30),
  /** The same on single nodes of a graph, of which a client may ask for a whole level at once. */
  node: perUser(60),
  /** Writes or looks up by meaning: one embedding, or one tree read. */
  light: perUser(120),
} as const satisfies Record<string, Limit>;

const WINDOW = { minute: 60, hour: 3600 } as const;

/** Counts one request against its limit. @param who whose count it is, as `countedOf` says */
export const countHit = ({ limiter }: Pick<AppContext, 'limiter'>, limit: Limit, route: string, who: string) =>
  limiter.hit(`${limit.bucket ?? route} ${who}`, limit.max, WINDOW[limit.per]);

/** Whether a request is left out of a limit. */
export const isSpared = (limit: Limit, sender: Sender): boolean => limit.sparesThisMachine === true && isFromThisMachine(sender);

type Secrets = Pick<AppContext['secrets'], 'fingerprint' | 'earlierFingerprints'>;

const tracesOf = (sender: Sender): [string, string] => [limitAddress(sender), String(sender.headers['user-agent'] ?? '')];

/** The user, or whoever is none: a salted hash of address and `User-Agent`, which tells neither. */
export const principalOf = (caller: Caller, sender: Sender, secrets: Secrets): string => caller?.userId ?? secrets.fingerprint(...tracesOf(sender));

/** What `principalOf` called the same caller before the installation's keys were renewed. */
export const earlierNamesOf = (caller: Caller, sender: Sender, secrets: Secrets): readonly string[] =>
  caller?.userId ? [] : secrets.earlierFingerprints(...tracesOf(sender));

/** The address as a limit by principal counts it beside: a salted hash, which does not tell it. */
export const addressOf = (sender: Sender, secrets: Secrets): string => `address ${secrets.fingerprint('address', limitAddress(sender))}`;

type Counted = { caller: Caller; sender: Sender; parts: Partial<Record<Part, unknown>> };

/** Whose count a request adds to. @param counted with the checked parts, for a limit by key */
export function countedOf(limit: Limit, { caller, sender, parts }: Counted, secrets: Secrets): string {
  switch (limit.by) {
    case 'all':
      return 'all';
    case 'ip':
      return limitAddress(sender);
    case 'key':
      // Hashed, for the value may be a password or a phone number.
      return secrets.fingerprint(limit.key.name, String((parts[limit.key.in] as Record<string, unknown> | undefined)?.[limit.key.name]));
    case 'principal':
      return principalOf(caller, sender, secrets);
    default:
      return caller?.userId ?? limitAddress(sender);
  }
}

/** A limit in words: `30 per hour per principal`. */
export function limitText(limit: Limit): string {
  const of = { user: 'user', ip: 'IP', principal: 'principal', all: '', key: limit.by === 'key' ? limit.key.name : '' }[limit.by];
  return `${limit.max} per ${limit.per}${of ? ` per ${of}` : ''}`;
}
