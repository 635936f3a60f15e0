import { isIP } from 'node:net';

/** Whom `X-Forwarded-For` is believed: so many proxies, counted from the service, or these addresses; 0 is nobody. */
export type TrustedProxies = number | readonly string[];

const MOST_HOPS = 10;
/** Names that stand for ranges, as in Express and Fastify. */
const RANGES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Reads the items of `TRUST_PROXY`; null when they are neither a number of proxies nor addresses. */
export function trustedProxies(items: readonly string[]): TrustedProxies | null {
  const [only = 'false', ...more] = items;
  if (more.length === 0) {
    if (only === 'false') return 0;
    // One proxy, as in most installations. Believing every hop, as Express does then, lets callers name any address.
    if (only === 'true') return 1;
    if (/^\d+$/.test(only)) return Number(only) <= MOST_HOPS ? Number(only) : null;
  }
  return items.every((item) => RANGES.has(item) || isNetwork(item)) ? items : null;
}

/** An address, or a CIDR that is not the whole Internet. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
