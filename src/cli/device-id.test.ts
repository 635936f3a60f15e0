import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { deviceIdFor } from './device-id.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundwork-device-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('keeps one id for services on this machine, in a file that is only the owner’s', () => {
  const id = deviceIdFor(join(folder, 'data'), 'http://127.0.0.1:8080');
  expect(id.length).toBeGreaterThan(20);
  expect(deviceIdFor(join(folder, 'data'), 'http://localhost:9')).toBe(id);
  expect(statSync(join(folder, 'data', 'device-id')).mode & 0o777).toBe(0o600);
});

it('gives a service elsewhere an id of its own, always the same', () => {
  const own = deviceIdFor(folder, 'http://[::1]:1');
  const [first, second] = ['https://one.example', 'https://two.example'].map((url) => deviceIdFor(folder, url));
  expect(new Set([own, first, second]).size).toBe(3);
  expect(deviceIdFor(folder, 'https://one.example/base')).toBe(first);
});

it('makes a new one in place of an empty file', () => {
  writeFileSync(join(folder, 'device-id'), '');
  expect(deviceIdFor(folder, 'http://127.0.0.1:1').length).toBeGreaterThan(20);
});
