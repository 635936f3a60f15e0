import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registryOf, type RegisteredRoute } from '#platform/http/registry.ts';
import { declaredFamilies } from './declared-routes.ts';

type Contracted = { family: string; method: string; path: string; auth: string; success: number[]; limit: string };

const contract = JSON.parse(readFileSync(join(import.meta.dirname, 'routes.json'), 'utf8')) as Contracted[];
const registry = registryOf(declaredFamilies());
const present = new Set(registry.map(({ family }) => family));
const contracted = contract.filter(({ family }) => present.has(family));

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const byName = new Map(registry.map((route) => [nameOf(route), route]));

/** Routes that the contract has and the code has not yet; whoever adds one removes it here. */
const STILL_MISSING = ['POST /build-nodes/{node_id}/implement'];

/** Further paths of a declared route that the contract does not name. */
const ALIASES: string[] = [];

/** What operators and identity clients read: on the server, but not among the declared routes. */
const MACHINE_ROOM = ['/metrics', '/openapi.json', '/docs', '/.well-known/jwks.json'];

const successOf = ({ declared }: RegisteredRoute): number[] =>
  Object.keys(declared.shape.describe(declared).responses)
    .map(Number)
    .filter((status) => status < 400)
    .sort((left, right) => left - right);

describe('the registry', () => {
  it('has every route of the contract in the families that exist [R001 R015]', () => {
    const missing = contracted.map(nameOf).filter((name) => !byName.has(name));
    expect(missing).toEqual(STILL_MISSING);
  });

  it('has no route that the contract does not have', () => {
    const known = new Set([...contract.map(nameOf), ...ALIASES]);
    expect(registry.map(nameOf).filter((name) => !known.has(name))).toEqual([]);
  });

  it('has only families of the contract, each route in its own [R003]', () => {
    const familyOf = new Map(contract.map((route) => [nameOf(route), route.family]));
    for (const route of registry) expect(route.family, nameOf(route)).toBe(familyOf.get(nameOf(route)) ?? route.family);
    expect([...present].filter((family) => !contract.some((route) => route.family === family))).toEqual([]);
  });

  it('names each route once', () => {
    expect(byName.size).toBe(registry.length);
  });

  it('keeps the machine room out of the declared routes', () => {
    for (const path of MACHINE_ROOM) expect(registry.filter((route) => route.path.startsWith(path))).toEqual([]);
  });
});

const built = contracted.filter((route) => byName.has(nameOf(route)));

describe.each(built.map((route) => [nameOf(route), route] as const))('%s', (name, expected) => {
  const route = byName.get(name);

  it('is protected as the contract says [R012]', () => {
    expect(route?.auth).toBe(expected.auth);
  });

  it('succeeds with the statuses of the contract', () => {
    expect(route ? successOf(route) : []).toEqual(expected.success);
  });

  it('has the limit of the contract; where that states none, one of ours is far above what a person asks for [R052]', () => {
    const limit = route?.declared.limit;
    if (expected.limit) expect(limitOf(route?.limit ?? '', expected.limit)).toBe(expected.limit);
    else if (limit) expect(limit.max / (limit.per === 'minute' ? 1 : 60)).toBeGreaterThanOrEqual(20);
  });
});

/** Where the contract does not say whose limit it is, the code may choose. */
const limitOf = (limit: string, expected: string): string => {
  const parts = limit.split(' per ');
  return parts.slice(0, Math.max(2, expected.split('/').length)).join('/');
};
