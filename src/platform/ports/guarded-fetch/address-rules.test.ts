import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../config/config.ts';
import { FetchRefused } from './port.ts';
import { addressRules } from './address-rules.ts';

const open = (allow: readonly string[] = [], deny: readonly string[] = []) => addressRules({ allow, deny });
const rules = open();

describe('addresses that are not public', () => {
  it.each([
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private 10/8', '10.0.0.1'],
    ['private 172.16/12', '172.16.0.1'],
    ['private 172.16/12, its end', '172.31.255.255'],
    ['private 192.168/16', '192.168.1.1'],
    ['shared (carrier-grade NAT)', '100.64.0.1'],
    ['shared, its end', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback, elsewhere', '127.8.9.10'],
    ['link-local', '169.254.1.1'],
    ['cloud metadata', '169.254.169.254'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation 1', '192.0.2.1'],
    ['documentation 2', '198.51.100.1'],
    ['documentation 3', '203.0.113.1'],
    ['benchmarking', '198.18.0.1'],
    ['6to4 relay', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['IPv6 link-local', 'fe80::1'],
    ['IPv6 link-local with zone', 'fe80::1%eth0'],
    ['unique local', 'fd00::1'],
    ['cloud metadata over IPv6', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['discard', '100::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['IPv6 documentation, newer', '3fff::1'],
    ['benchmarking over IPv6', '2001:2::1'],
    ['IPv4-mapped private', '::ffff:10.0.0.1'],
    ['IPv4-mapped metadata', '::ffff:169.254.169.254'],
    ['IPv4-mapped public', '::ffff:93.184.216.34'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:10.0.0.1'],
    ['NAT64', '64:ff9b::169.254.169.254'],
    ['local NAT64', '64:ff9b:1::10.0.0.1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ORCHID', '2001:20::1'],
    ['outside 2000::/3', '4000::1'],
    ['segment routing', '5f00::1'],
    ['dummy prefix', '100:0:0:1::1'],
    ['AS112', '192.31.196.1'],
    ['AS112, direct delegation', '192.175.48.1'],
    ['AS112 over IPv6', '2001:4:112::1'],
    ['AS112 over IPv6, direct delegation', '2620:4f:8000::1'],
    ['multicast relays (AMT)', '192.52.193.1'],
    ['multicast relays (AMT) over IPv6', '2001:3::1'],
    ['port control anycast', '192.0.0.9'],
    ['port control anycast over IPv6', '2001:1::1'],
    ['drone identities', '2001:30::1'],
    ['protocol assignments over IPv6, their end', '2001:1ff:ffff::1'],
    ['AWS metadata for tasks', '169.254.170.2'],
    ['AWS metadata for pods', '169.254.170.23'],
    ['AWS metadata for pods over IPv6', 'fd00:ec2::23'],
    ['Google metadata over IPv6', 'fd20:ce::254'],
    ['Azure wire server', '168.63.129.16'],
    ['Azure wire server, mapped', '::ffff:168.63.129.16'],
    ['Azure wire server behind NAT64', '64:ff9b::a83f:8110'],
    ['Azure wire server behind 6to4', '2002:a83f:8110::'],
    ['Alibaba metadata', '100.100.100.200'],
    ['Oracle metadata', '192.0.0.192'],
    ['OpenStack metadata over IPv6', 'fe80::a9fe:a9fe'],
    ['Scaleway metadata', '169.254.42.42'],
    ['Scaleway metadata over IPv6', 'fd00:42::42'],
    ['Tencent metadata', '169.254.0.23'],
    ['IBM name servers', '161.26.0.10'],
    ['IBM services', '166.8.0.1'],
    ['IBM services, their end', '166.11.255.255'],
  ])('%s: %s', (_kind, address) => {
    expect(() => rules.checkAddresses('site.test', 443, [address])).toThrow(FetchRefused);
    expect(() => rules.checkAddresses('site.test', 443, ['93.184.216.34', address])).toThrow('not public');
  });

  it.each([
    '93.184.216.34',
    '1.1.1.1',
    '168.63.129.17',
    '161.27.0.1',
    '166.12.0.1',
    '166.7.255.255',
    '100.128.0.1',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('but %s is', (address) => {
    expect(() => rules.checkAddresses('site.test', 443, [address])).not.toThrow();
  });

  it('a name without any address is no page', () => {
    expect(() => rules.checkAddresses('site.test', 443, [])).toThrow('has no address');
  });
});

describe('URLs', () => {
  it.each([
    ['ftp://site.test/', 'Only http and https'],
    ['file:///etc/passwd', 'Only http and https'],
    ['http://user@site.test/', 'user name or password'],
    ['http://user:secret@site.test/', 'user name or password'],
    ['http://:secret@site.test/', 'user name or password'],
    ['http://site.test:22/', 'Port 22'],
    ['https://site.test:6379/', 'Port 6379'],
    [`https://site.test/${'a'.repeat(2000)}`, 'more than 2000 characters'],
    ['http://127.0.0.1/', 'not public'],
    ['http://2130706433/', 'not public'],
    ['http://0177.0.0.1/', 'not public'],
    ['http://0x7f.1/', 'not public'],
    ['http://0x7f000001/', 'not public'],
    ['http://127.1/', 'not public'],
    ['http://①②⑦.0.0.1/', 'not public'],
    ['http://0/', 'not public'],
    ['http://[::1]/', 'not public'],
    ['http://[::ffff:7f00:1]/', 'not public'],
    ['http://[0:0:0:0:0:ffff:127.0.0.1]/', 'not public'],
    ['http://[64:ff9b::7f00:1]/', 'not public'],
    ['http://169.254.169.254/latest/meta-data/', 'not public'],
    ['http://169.254.169.254./', 'not public'],
    ['http://168.63.129.16/machine?comp=goalstate', 'not public'],
    ['http://2822734096/', 'not public'],
    ['http://0xA83F8110/', 'not public'],
    ['http://0250.077.0201.020/', 'not public'],
    ['http://168.63.33040/', 'not public'],
    ['http://168.63.129.16./', 'not public'],
    ['http://[::ffff:a83f:8110]/', 'not public'],
    ['http://localhost/', 'no name of the public web'],
    ['http://a.localhost./', 'no name of the public web'],
    ['http://printer.local/', 'no name of the public web'],
    ['http://router.home.arpa/', 'no name of the public web'],
    ['http://instance-data/latest/', 'no name of the public web'],
    ['http://metadata/computeMetadata/v1/', 'no name of the public web'],
    ['http://metadata.google.internal/', 'no name of the public web'],
    ['http://METADATA.google.internal./', 'no name of the public web'],
    ['http://ip-10-0-0-1.eu-west-1.compute.internal/', 'no name of the public web'],
    ['http://metadata.goog/', 'no name of the public web'],
    ['http://metadata.tencentyun.com/', 'no name of the public web'],
    ['https://metadata.platformequinix.com/', 'no name of the public web'],
  ])('%s is refused', (address, why) => {
    expect(() => rules.checkUrl(new URL(address))).toThrow(why);
  });

  it.each(['http://site.test/', 'https://site.test/', 'http://site.test:8080/a?b=c', 'https://site.test:8443/', 'http://93.184.216.34/'])(
    '%s may be looked up',
    (address) => {
      expect(() => rules.checkUrl(new URL(address))).not.toThrow();
    },
  );
});

describe('FETCH_ALLOW and FETCH_DENY', () => {
  it('a name opens its addresses and every port', () => {
    const own = open(['wiki.corp.test', '*.lab.test']);
    for (const host of ['wiki.corp.test', 'WIKI.corp.test.', 'a.lab.test', 'a.b.lab.test']) {
      expect(() => own.checkUrl(new URL(`http://${host}:9999/`))).not.toThrow();
      expect(() => own.checkAddresses(host, 9999, ['10.0.0.5'])).not.toThrow();
    }
    for (const host of ['lab.test', 'evillab.test', 'wiki.corp.test.evil.test', 'corp.test']) {
      expect(() => own.checkAddresses(host, 80, ['10.0.0.5'])).toThrow('not public');
    }
  });

  it('an address or a range opens what resolves to it, on every port', () => {
    const own = open(['10.1.0.0/16', 'fd00:1::/32', '192.168.7.7']);
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00:1::5', '192.168.7.7']) {
      expect(() => own.checkAddresses('site.test', 9999, [address])).not.toThrow();
    }
    expect(() => own.checkUrl(new URL('http://site.test:9999/'))).not.toThrow();
    expect(() => own.checkUrl(new URL('http://10.1.2.3:9999/'))).not.toThrow();
    expect(() => own.checkAddresses('site.test', 80, ['10.1.2.3', '10.2.0.1'])).toThrow('not public');
    expect(() => own.checkAddresses('site.test', 80, ['192.168.7.8'])).toThrow('not public');
    expect(() => own.checkAddresses('site.test', 9999, ['93.184.216.34'])).toThrow('Port 9999');
  });

  it('opens internal names, and what a cloud keeps, only when they are named', () => {
    const own = open(['wiki.corp.internal', '168.63.129.16']);
    expect(() => own.checkUrl(new URL('http://wiki.corp.internal/'))).not.toThrow();
    expect(() => own.checkAddresses('wiki.corp.internal', 80, ['10.0.0.5'])).not.toThrow();
    expect(() => own.checkAddresses('site.test', 80, ['168.63.129.16'])).not.toThrow();
    expect(() => own.checkAddresses('other.corp.internal', 80, ['93.184.216.34'])).toThrow('no name of the public web');
    expect(() => own.checkAddresses('other.corp.internal', 80, ['10.0.0.5'])).toThrow('not public');
  });

  it('deny wins, by name and by address, in whatever form the address comes', () => {
    const own = open(['*.corp.test', '10.0.0.0/8'], ['secret.corp.test', '*.ads.test', '10.9.0.0/16', '93.184.216.34']);
    expect(() => own.checkUrl(new URL('http://secret.corp.test/'))).toThrow('denied by FETCH_DENY');
    expect(() => own.checkUrl(new URL('http://SECRET.corp.test./'))).toThrow('denied by FETCH_DENY');
    expect(() => own.checkUrl(new URL('http://x.ads.test/'))).toThrow('denied');
    for (const address of ['10.9.0.1', '::ffff:10.9.0.1', '64:ff9b::10.9.0.1', '2002:a09:1::', '93.184.216.34']) {
      expect(() => own.checkAddresses('a.corp.test', 80, [address])).toThrow('denied');
    }
    expect(() => own.checkAddresses('a.corp.test', 80, ['10.8.0.1', '10.9.0.1'])).toThrow('denied');
    expect(() => own.checkAddresses('a.corp.test', 80, ['10.8.0.1'])).not.toThrow();
  });

  it('takes names with other letters', () => {
    expect(() => open([], ['bücher.test']).checkUrl(new URL('http://xn--bcher-kva.test/'))).toThrow('denied');
  });

  it.each(['10.0.0.0/33', 'http://site.test', 'site.test:80', '*', '*.', 'a.*.test', 'site.test/path', '10.0.0', 'a b', ''])(
    'complains about "%s"',
    (entry) => {
      expect(() => open([], [entry])).toThrow(ConfigError);
      expect(() => open([], [entry])).toThrow('FETCH_DENY');
      expect(() => open([entry])).toThrow('FETCH_ALLOW');
    },
  );
});
