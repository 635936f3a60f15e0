/**
 * Takes out of package-lock.json what does not hold for other machines: the engines of packages, which npm compares with
 * the Node that runs npm instead of the pinned one that runs them, and the addresses they were downloaded from.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const LOCK = new URL('../package-lock.json', import.meta.url);

const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, Record<string, unknown>> };
for (const [name, found] of Object.entries(lock.packages)) {
  if (name === '') continue;
  delete found['engines'];
  if (String(found['resolved']).startsWith('http')) delete found['resolved'];
}
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
