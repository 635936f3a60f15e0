import { randomUUID } from 'node:crypto';
import type { Random } from './random.ts';

const KEPT_IDS = 300;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Someone with a session, and the ids that the service told them. */
export type Caller = {
  token: string;
  /** An id for a field or parameter of that name, mostly one of its kind; undefined when none is known. */
  idFor(family: string, name: string, random: Random): string | undefined;
  /** Keeps the ids of an answer. @param family the first segment of the path that was asked */
  learn(family: string, answer: unknown): void;
};

/** Signs a new anonymous caller in. @throws Error when that is refused */
export async function newCaller(url: string): Promise<Caller> {
  const answer = await fetch(`${url}/auth/anonymous`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ device_id: randomUUID() }),
  });
  if (!answer.ok) throw new Error(`POST /auth/anonymous answered ${answer.status}`);
  return callerWith(((await answer.json()) as { token: string }).token);
}

function callerWith(token: string): Caller {
  const ids = new Map<string, string[]>();
  const all: string[] = [];
  const keep = (list: string[], id: string) => {
    if (!list.includes(id)) list.push(id);
    if (list.length > KEPT_IDS) list.shift();
  };
  const learn = (family: string, value: unknown, field = '', depth = 0): void => {
    if (typeof value === 'string') {
      if (!UUID.test(value) && field !== 'share_token') return;
      keep(all, value);
      for (const name of [`${family}/${field}`, field]) {
        if (!ids.has(name)) ids.set(name, []);
        keep(ids.get(name) ?? [], value);
      }
    } else if (typeof value === 'object' && value !== null && depth < 8) {
      const entries = Array.isArray(value) ? value.slice(0, 50).map((item) => [field, item] as const) : Object.entries(value);
      // The id of a node stands in the answer of a graph.
      for (const [name, item] of entries) learn(isNodes(name) ? 'build-nodes' : family, item, name, depth + 1);
    }
  };
  return {
    token,
    learn,
    idFor: (family, name, random) => {
      const own = ids.get(`${family}/${name}`) ?? ids.get(`${family}/id`) ?? ids.get(name) ?? [];
      if (own.length > 0 && random.chance(0.8)) return random.pick(own);
      return all.length > 0 ? random.pick(all) : undefined;
    },
  };
}

const isNodes = (name: string): boolean => ['nodes', 'roots', 'children'].includes(name);
