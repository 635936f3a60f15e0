import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { trustedProxies } from './trusted-proxies.ts';

describe('whom X-Forwarded-For is believed', () => {
  it.each([
    [[], 0],
    [['false'], 0],
    [['0'], 0],
    [['1'], 1],
    [['3'], 3],
    [['true'], 1],
    [['10.0.0.0/8'], ['10.0.0.0/8']],
    [
      ['loopback', '203.0.113.7', 'fd00::/8'],
      ['loopback', '203.0.113.7', 'fd00::/8'],
    ],
  ])('%j is %j', (items, expected) => {
    expect(trustedProxies(items)).toEqual(expected);
  });

  it.each([
    ['yes'],
    ['-1'],
    ['1.5'],
    ['11'],
    ['proxy.example'],
    ['0.0.0.0/0'],
    ['::/0'],
    ['10.0.0.0/33'],
    ['10.0.0.0/255.0.0.0'],
    ['10.0/8'],
    ['fe80::1%eth0'],
    ['true,10.0.0.1'],
    ['1,2'],
  ])('%s stops the start with a sentence that names what to write', (text) => {
    expect(() => loadConfig({ TRUST_PROXY: text })).toThrow(/^TRUST_PROXY must be .* the number of proxies .* it is "/);
  });
});
