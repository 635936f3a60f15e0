import ipaddr from 'ipaddr.js';
import { ConfigError } from '../../config/config.ts';

export type Ip = ipaddr.IPv4 | ipaddr.IPv6;

export type AddressList = {
  hasHost(host: string): boolean;
  hasAddress(address: Ip): boolean;
  /** Whether any entry is an address or a range, so that only a lookup can decide. */
  hasRanges: boolean;
};

/**
 * Reads host names, `*.suffix` (names below it, not the suffix itself), addresses and CIDR ranges.
 * @param variable the setting that a complaint names
 * @throws ConfigError for an entry that is none of these: a rule that silently never matches would open a hole
 */
export function addressList(variable: string, entries: readonly string[]): AddressList {
  const hosts = new Set<string>();
  const suffixes: string[] = [];
  const ranges: [Ip, number][] = [];
  for (const entry of entries) {
    const range = rangeOf(entry);
    if (range) ranges.push(range);
    else if (entry.startsWith('*.')) suffixes.push(`.${hostOf(variable, entry, entry.slice(2))}`);
    else hosts.add(hostOf(variable, entry, entry));
  }
  return {
    hasHost: (host) => hosts.has(plainHost(host)) || suffixes.some((suffix) => plainHost(host).endsWith(suffix)),
    hasAddress: (address) => ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits)),
    hasRanges: ranges.length > 0,
  };
}

/** The name of a host in the form in which two names count as the same. */
const plainHost = (host: string): string => host.toLowerCase().replace(/\.+$/, '');

function rangeOf(entry: string): [Ip, number] | undefined {
  const text = entry.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValidCIDR(text)) {
    const [base, bits] = ipaddr.parseCIDR(text);
    return base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96 ? [base.toIPv4Address(), bits - 96] : [base, bits];
  }
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function hostOf(variable: string, entry: string, name: string): string {
  const url = /[/:@?#*\s]/.test(name) ? null : URL.parse(`http://${name}`);
  if (!url || url.hostname === '' || /^[\d.]+$/.test(url.hostname)) {
    throw new ConfigError(`${variable} holds "${entry}"; it takes host names, *.suffix, addresses and ranges such as 10.0.0.0/8.`);
  }
  return plainHost(url.hostname);
}
