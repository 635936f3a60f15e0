import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressList, type Ip } from './address-lists.ts';
import { CLOUD_NAMES, CLOUD_RANGES, isInternalName } from './cloud-hosts.ts';
import { FetchFailed, FetchRefused } from './port.ts';

export type AddressRules = {
  /** What can be decided before any lookup. @throws FetchRefused */
  checkUrl(url: URL): void;
  /** Decides on the addresses a connection is about to use; one bad address spoils them all. @throws FetchRefused, FetchFailed */
  checkAddresses(host: string, port: number, addresses: readonly string[]): void;
};

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const LONGEST_URL = 2000;
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
const CLOUD = addressList('CLOUD', [...CLOUD_RANGES, ...CLOUD_NAMES]);

/**
 * Only the public web, but for what `allow` opens (any address, any port) and `deny` closes; `deny` wins.
 * @throws ConfigError when an entry cannot be read
 */
export function addressRules(lists: { allow: readonly string[]; deny: readonly string[] }): AddressRules {
  const allow = addressList('FETCH_ALLOW', lists.allow);
  const deny = addressList('FETCH_DENY', lists.deny);

  const checkAddresses: AddressRules['checkAddresses'] = (host, port, addresses) => {
    if (addresses.length === 0) throw new FetchFailed('network', `${host} has no address.`);
    const ips = addresses.map(readAddress);
    if (ips.some((ip) => formsOf(ip).some((form) => deny.hasAddress(form)))) throw denied(host);
    if (allow.hasHost(host) || ips.every((ip) => allow.hasAddress(unmapped(ip)))) return;
    if (!ips.every((ip) => allow.hasAddress(unmapped(ip)) || isPublic(ip))) {
      throw new FetchRefused(`${host} leads to an address that is not public.`);
    }
    checkName(host);
    checkPort(host, port);
  };

  return {
    checkAddresses,
    checkUrl: (url) => {
      checkShape(url);
      const host = bareHost(url);
      const port = portOf(url);
      if (deny.hasHost(host)) throw denied(host);
      if (isIP(host)) checkAddresses(host, port, [host]);
      else if (!allow.hasHost(host) && !allow.hasRanges) {
        checkName(host);
        checkPort(host, port);
      }
    },
  };
}

/** The host of a URL without the brackets of IPv6. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

const denied = (host: string) => new FetchRefused(`${host} is denied by FETCH_DENY.`);

function checkShape(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchRefused(`Only http and https addresses are asked, not ${url.protocol.slice(0, -1)}.`);
  }
  if (url.username !== '' || url.password !== '') throw new FetchRefused('An address that holds a user name or password is not asked.');
  if (url.href.length > LONGEST_URL) throw new FetchRefused(`An address of more than ${LONGEST_URL} characters is not asked.`);
}

function checkName(host: string): void {
  if (isIP(host) === 0 && (isInternalName(host) || CLOUD.hasHost(host))) throw new FetchRefused(`${host} is no name of the public web.`);
}

function checkPort(host: string, port: number): void {
  if (!WEB_PORTS.has(port)) throw new FetchRefused(`Port ${port} of ${host} is not one of the web: ${[...WEB_PORTS].join(', ')}.`);
}

function readAddress(address: string): Ip {
  if (!ipaddr.isValid(address)) throw new FetchRefused(`"${address}" is no address.`);
  return ipaddr.parse(address);
}

const unmapped = (ip: Ip): Ip => (ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip);

/** Whether packets to this address leave for the open internet, by the special-purpose registries of IANA (RFC 6890) and past the clouds' own. */
function isPublic(ip: Ip): boolean {
  if (ip.range() !== 'unicast' || CLOUD.hasAddress(ip)) return false;
  return ip.kind() === 'ipv4' || ip.match(GLOBAL_UNICAST);
}

/** The address, and every IPv4 address that it may stand for: mapped, compatible, translated (RFC 6052, 6145), 6to4, Teredo. */
function formsOf(ip: Ip): Ip[] {
  if (ip instanceof ipaddr.IPv4) return [ip];
  const bytes = ip.toByteArray();
  const last = bytes.slice(12);
  const range = ip.range();
  if (range === '6to4') return [ip, new ipaddr.IPv4(bytes.slice(2, 6))];
  if (range === 'teredo') return [ip, new ipaddr.IPv4(last.map((byte) => byte ^ 0xff))];
  const carries = range === 'ipv4Mapped' || range === 'rfc6145' || range === 'rfc6052' || bytes.slice(0, 12).every((byte) => byte === 0);
  return carries ? [ip, new ipaddr.IPv4(last)] : [ip];
}
