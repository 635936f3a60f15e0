import { describe, expect, it } from 'vitest';
import { isFromThisMachine, limitAddress } from './client-address.ts';

const sender = (ip: string, { peer = '192.0.2.1', headers = {} }: { peer?: string | undefined; headers?: Record<string, string> } = {}) => ({
  ip,
  socket: { remoteAddress: peer },
  headers,
});

describe('the address that limits count', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
  ])('of %s is %s', (ip, expected) => {
    expect(limitAddress(sender(ip))).toBe(expected);
  });

  it.each(['', 'unknown', '_hidden', 'garbage', '256.1.1.1', '127.1', '0x7f.0.0.1', '2130706433', '1.2.3.4.5', '[::1', 'x'.repeat(6000)])(
    'is the peer’s where a proxy names %j',
    (ip) => {
      expect(limitAddress(sender(ip))).toBe('192.0.2.1');
    },
  );

  it('is there also when the connection is gone', () => {
    expect(limitAddress({ ip: 'garbage', socket: {}, headers: {} })).toBe('unknown');
    // Fastify reads it from the socket.
    expect(limitAddress({ ip: undefined, socket: {}, headers: {} })).toBe('unknown');
    expect(isFromThisMachine({ ip: undefined, socket: {}, headers: {} })).toBe(false);
  });
});

describe('a request from this machine', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('comes over loopback: %s', (ip) => {
    expect(isFromThisMachine(sender(ip, { peer: ip }))).toBe(true);
  });

  it.each([
    ['comes from elsewhere', sender('203.0.113.7', { peer: '203.0.113.7' })],
    ['is one that a proxy here passes on', sender('203.0.113.7', { peer: '127.0.0.1' })],
    ['only claims to', sender('127.0.0.1', { peer: '203.0.113.7' })],
    ['names what is no address', sender('garbage', { peer: '127.0.0.1' })],
    ['has lost its connection', { ip: '', socket: {}, headers: {} }],
  ])('is not one that %s', (_what, from) => {
    expect(isFromThisMachine(from)).toBe(false);
  });

  it.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])('is not one that a proxy passed on with %s', (name) => {
    expect(isFromThisMachine(sender('127.0.0.1', { peer: '127.0.0.1', headers: { [name]: '127.0.0.1' } }))).toBe(false);
  });
});
