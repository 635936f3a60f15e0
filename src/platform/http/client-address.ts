import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What tells who sent a request. `ip` is the client as far as `TRUST_PROXY` lets proxies name it, else the peer. */
export type Sender = {
  /** Undefined where the connection is gone. */
  ip: string | undefined;
  socket: { remoteAddress?: string | undefined };
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** One subscriber has at least a /64 of IPv6 (RFC 6177), and may change the rest of the address at will. */
const SUBSCRIBER_BITS = 64;
/** Headers that proxies add (RFC 7239, RFC 9110, and the customary ones). */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/**
 * The address that limits count: IPv4 as it is, also where it is mapped into IPv6; IPv6 by its /64. Where proxies name
 * something that is no address, it is the peer's.
 */
export function limitAddress({ ip, socket }: Sender): string {
  const address = readAddress(ip) ?? readAddress(socket.remoteAddress);
  if (!address) return 'unknown';
  const text = address.toString();
  return address.kind() === 'ipv4' ? text : `${ipaddr.IPv6.networkAddressFromCIDR(`${text}/${SUBSCRIBER_BITS}`).toString()}/${SUBSCRIBER_BITS}`;
}

/** Whether a request comes straight from this machine: over loopback, and no header tells of a proxy in between. */
export function isFromThisMachine({ ip, socket, headers }: Sender): boolean {
  if (FORWARDING.some((name) => headers[name] !== undefined)) return false;
  return [ip, socket.remoteAddress].every((text) => readAddress(text)?.range() === 'loopback');
}

/** Null for what is no address. A port, which some proxies add, and the zone of a link-local address are left out. */
function readAddress(text = ''): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, inBrackets, beforePort] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  const [bare = ''] = (inBrackets ?? beforePort ?? text).split('%', 1);
  return isIP(bare) ? ipaddr.process(bare) : null;
}
