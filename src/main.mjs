import { isNewEnough, whatNodeIsNeeded } from './platform/node-version/needed-node.mjs';

if (!isNewEnough()) {
  process.stderr.write(whatNodeIsNeeded());
  process.exit(1);
}
const { keepCompiledCode } = await import('./platform/disk-cache/compiled-code.mjs');
const { keepFilesPrivate } = await import('./platform/disk-cache/private-files.mjs');
keepFilesPrivate();
keepCompiledCode();
await import('./run-service.ts');
