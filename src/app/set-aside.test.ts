import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, type TestContext } from 'vitest';
import { readEnv } from '#platform/config/env.ts';
import { openPostgres } from '#platform/db/postgres.ts';
import { followNdjson, type Line } from '#testing/read-ndjson.ts';

const MAIN = join(import.meta.dirname, '../main.mjs');
const PLANTED = join(import.meta.dirname, '../testing/planted-stage.ts');
const HEAP_MB = 500;
const INNOCENT = ['A planner for community gardens', 'A ledger for allotment societies', 'Shift swaps for small bakeries'];

type Finally = TestContext['onTestFinished'];

/** The settings of an installation of its own: on an empty folder, or on an empty database where the tests have a server. */
async function newInstallation(finallyDo: Finally): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'groundwork-aside-'));
  finallyDo(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = readEnv()['TEST_DATABASE_URL'];
  if (!server) return { DATA_DIR: dataDir };
  const admin = await openPostgres({ url: server, poolSize: 2 });
  const name = `groundwork_aside_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name}`);
  finallyDo(async () => {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.close();
  });
  const own = new URL(server);
  own.pathname = `/${name}`;
  return { DATA_DIR: dataDir, DATABASE_URL: own.href };
}

/** A process on that installation. `held`: researches that do no harm wait in their first stage. */
async function live(env: Record<string, string>, held: boolean, finallyDo: Finally) {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, '--import', PLANTED, MAIN], {
    env: { ...env, PORT: '0', LOG_LEVEL: 'info', ...(held ? { GROUNDWORK_TEST_HELD: '1' } : {}) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  finallyDo(() => end(child));
  const heard = new Map<string, () => void>();
  let url = '';
  const said = (text: string) => new Promise<void>((resolve) => heard.set(text, resolve));
  const up = said('Groundwork is up');
  const noticed = said('while these jobs are at work');
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    url ||= /"url":"([^"]+)"/.exec(line)?.[1] ?? '';
    for (const [text, resolve] of heard) if (line.includes(text)) resolve();
  });
  await Promise.race([up, once(child, 'exit').then(() => Promise.reject(new Error(lines.join('\n'))))]);
  /** Until the process has noticed what keeps it from answering; then it goes down, of itself or not. */
  const goesDown = async () => {
    await noticed;
    await end(child);
  };
  const call = async (method: string, path: string, token: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return (await answer.json()) as Record<string, unknown>;
  };
  return { call, goesDown, stop: () => end(child, 'SIGTERM'), url: () => url };
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

describe('a research that takes its process down', () => {
  it.for(['an endless loop', 'memory bit by bit'])(
    'by %s is set aside after the second time, and what was at work beside it ends as it should',
    { timeout: 180_000 },
    async (harm, { onTestFinished }) => {
      const env = await newInstallation(onTestFinished);
      const first = await live(env, true, onTestFinished);
      const token = String((await first.call('POST', '/auth/anonymous', '', { device_id: `device-${harm}` }))['token']);
      const start = async (idea: string) => String((await first.call('POST', '/research', token, { idea }))['job_id']);
      const innocent = await Promise.all(INNOCENT.map(start));
      const harmful = await start(`An app about ${harm} in village halls`);
      await first.goesDown();

      const second = await live(env, false, onTestFinished);
      await second.goesDown();

      const third = await live(env, false, onTestFinished);
      const statusOf = async (id: string) => third.call('GET', `/research/${id}/status`, token);
      await expect.poll(async () => (await statusOf(harmful))['status'], { timeout: 60_000 }).toBe('failed');
      expect((await statusOf(harmful))['error']).toEqual({
        code: 'SET_ASIDE',
        message: 'The service went down twice while it worked on this, so it is not tried again.',
        retryable: false,
      });
      const told: Line[] = [];
      for await (const line of followNdjson(`${third.url()}/research/${harmful}/events`, token)) told.push(line);
      expect(told.slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
      for (const id of innocent) await expect.poll(async () => (await statusOf(id))['status'], { timeout: 60_000 }).toBe('completed');
      await third.stop();
    },
  );
});
