// Prints every route: method, path, auth, limit, family.
import { families } from '../src/app/families.ts';
import { loadConfig } from '../src/platform/config/config.ts';
import { registryOf } from '../src/platform/http/registry.ts';

const list = families({ limits: loadConfig({}) } as never);
const rows = registryOf(list).map(({ method, path, auth, limit, family }) => [method, path, auth, limit, family]);
const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
for (const row of rows)
  process.stdout.write(
    `${row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()}\n`,
  );
process.stdout.write(`${rows.length} routes\n`);
