// Run as a process of its own: creating a cluster takes 500 MB that the process keeps, opening one does not.
import { PGlite } from '@electric-sql/pglite';
import { keepFilesPrivate } from '../disk-cache/private-files.mjs';

const dir = process.argv[2];
if (!dir) throw new Error('usage: create-cluster.ts DIR');
keepFilesPrivate();
const lite = new PGlite({ dataDir: dir });
await lite.waitReady;
await lite.close();
