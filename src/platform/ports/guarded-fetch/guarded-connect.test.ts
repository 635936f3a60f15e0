import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { openGuardedFetch } from './built-in.ts';

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** A certificate for one name that signs itself, valid from yesterday until tomorrow (RFC 5280). */
function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'));
  const subject = sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from(name)))));
  const day = (offset: number): Buffer => {
    const digits = new Date(Date.now() + offset * 86_400_000).toISOString().replaceAll(/\D/g, '');
    return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
  };
  const altName = sequence(hex('0603551d11'), der(0x04, sequence(der(0x82, Buffer.from(name)))));
  const authority = sequence(hex('0603551d13'), der(0x01, hex('ff')), der(0x04, sequence(der(0x01, hex('ff')))));
  const toSign = sequence(
    der(0xa0, hex('020102')),
    hex('020101'),
    ecdsaWithSha256,
    subject,
    sequence(day(-1), day(1)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(altName, authority)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toSign, privateKey));
  const encoded = sequence(toSign, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

const trusted = getCACertificates('default');
afterAll(() => setDefaultCACertificates(trusted));

describe('over TLS', () => {
  it('the name is what certificate, server name and Host go by, though the address was looked up here', async () => {
    const { key, cert } = selfSigned('site.test');
    setDefaultCACertificates([...trusted, cert]);
    const seen: unknown[] = [];
    const server = createServer({ key, cert }, (request, response) => {
      seen.push(request.headers.host, (request.socket as TLSSocket & { servername?: string }).servername);
      response.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { fetch } = openGuardedFetch({
      allow: ['127.0.0.1'],
      deny: [],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const signal = new AbortController().signal;
    try {
      expect((await fetch(new URL(`https://site.test:${port}/`), { signal })).body.toString()).toBe('hello');
      expect(seen).toEqual([`site.test:${port}`, 'site.test']);
      await expect(fetch(new URL(`https://other.test:${port}/`), { signal })).rejects.toThrow('its certificate or encryption is not accepted');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
