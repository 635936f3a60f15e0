import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the service under test, without a slash at its end. */
    serviceUrl: string;
    /** What its operator and its billing provider present as bearers; empty where that is not known here. */
    serviceSecrets: { admin: string; webhook: string };
    /** Key file of its embedded identity provider; empty where the tests cannot sign identity tokens. */
    serviceKeyFile: string;
    /** What publishers of toasts present; empty where it is not known. */
    publishSecret: string;
  }
}

const START_MS = 60_000;
const STOP_MS = 20_000;
const SECRETS = { admin: randomUUID(), webhook: randomUUID() };
const PUBLISH_SECRET = randomUUID();

/**
 * Provides the service that the acceptance tests talk to: the one at `ACCEPTANCE_URL` (with `ACCEPTANCE_KEY_FILE`, when
 * its identity key can be read from here, `ACCEPTANCE_ADMIN_SECRET` and `ACCEPTANCE_PUBLISH_SECRET`; it must trust one
 * proxy), else a process of its own on an empty data folder.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const elsewhere = process.env['ACCEPTANCE_URL']?.replace(/\/+$/, '');
  if (elsewhere) {
    await answering(elsewhere, () => null);
    project.provide('serviceUrl', elsewhere);
    project.provide('serviceKeyFile', process.env['ACCEPTANCE_KEY_FILE'] ?? '');
    project.provide('serviceSecrets', { admin: process.env['ACCEPTANCE_ADMIN_SECRET'] ?? '', webhook: '' });
    project.provide('publishSecret', process.env['ACCEPTANCE_PUBLISH_SECRET'] ?? '');
    return async () => {};
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'groundwork-acceptance-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startService(dataDir, port);
  try {
    await answering(url, () => child.exitCode);
  } catch (error) {
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
  const keyFile = join(dataDir, 'identity-key.json');
  project.provide('serviceUrl', url);
  project.provide('publishSecret', PUBLISH_SECRET);
  project.provide('serviceKeyFile', existsSync(keyFile) ? keyFile : '');
  project.provide('serviceSecrets', SECRETS);
  return async () => {
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** Only what a process needs to run is passed on: settings of the surroundings must not change what is tested. */
function startService(dataDir: string, port: number): ChildProcess {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return spawn(process.execPath, [join(import.meta.dirname, '../main.mjs')], {
    env: {
      PATH,
      HOME,
      ...(TMPDIR ? { TMPDIR } : {}),
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      TRUST_PROXY: '1',
      TOAST_PUBLISH_SECRET: PUBLISH_SECRET,
      LOG_LEVEL: 'error',
      ADMIN_SECRET: SECRETS.admin,
      BILLING_PROVIDER: 'local',
      BILLING_WEBHOOK_SECRET: SECRETS.webhook,
      BILLING_TIERS: 'explorer_monthly=explorer,plus_monthly=plus,pro_monthly=pro',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function answering(url: string, exitCode: () => number | null): Promise<void> {
  const deadline = Date.now() + START_MS;
  let last: unknown;
  while (Date.now() < deadline) {
    const code = exitCode();
    if (code !== null) throw new Error(`the service ended with code ${code} before it answered`);
    try {
      const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5000) });
      if (answer.ok) return;
      last = `status ${answer.status}`;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing healthy answers at ${url} after ${START_MS / 1000} s`, { cause: last });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(force);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
