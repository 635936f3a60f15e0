import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newToken, sha256 } from '#lib/ids.ts';
import { isLocal } from './local-host.ts';
import { makeFolder } from '#platform/db/make-folder.ts';

/**
 * The device id that a service knows this installation by; made and kept in the data folder on first use.
 * A service on another machine gets one of its own: whoever knows an id can sign in with it here.
 */
export function deviceIdFor(dataDir: string, serviceUrl: string): string {
  const own = ownDeviceId(join(dataDir, 'device-id'));
  const { hostname, origin } = new URL(serviceUrl);
  return isLocal(hostname) ? own : sha256(`${own} ${origin}`);
}

function ownDeviceId(file: string): string {
  const kept = readOrNull(file);
  if (kept) return kept;
  const made = newToken();
  makeFolder(dirname(file));
  try {
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: kept === null ? 'wx' : 'w' });
    return made;
  } catch (error) {
    // Another command made one in between.
    const theirs = readOrNull(file);
    if (theirs) return theirs;
    throw error;
  }
}

/** Null when there is no such file; empty when it was cut off while being written. */
function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
