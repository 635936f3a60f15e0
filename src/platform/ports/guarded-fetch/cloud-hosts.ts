/**
 * What clouds answer to their own machines alone, although its addresses and names are those of the public internet. Whatever
 * else they keep for that lies in the special-purpose registries of IANA: 169.254.0.0/16, 100.64.0.0/10, 192.0.0.0/24, fc00::/7.
 */
export const CLOUD_RANGES: readonly string[] = [
  // Azure: the wire server, which holds extensions' secrets (learn.microsoft.com, "What is IP address 168.63.129.16?").
  '168.63.129.16',
  // IBM Cloud: services of its private network (cloud.ibm.com/docs/vpc, "Service endpoints").
  '161.26.0.0/16',
  '166.8.0.0/14',
];

/** Names of metadata services that a public name server may answer for. */
export const CLOUD_NAMES: readonly string[] = ['metadata.goog', 'metadata.tencentyun.com', 'metadata.packet.net', 'metadata.platformequinix.com'];

/** Names that mean something inside a network only: of one label, or below a top-level name kept for that (RFC 6761, 6762, 8375; ICANN 2024). */
export const isInternalName = (host: string): boolean => /^[^.]+$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/i.test(host.replace(/\.+$/, ''));
