#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findInstalledNode, isNewEnough, whatNodeIsNeeded } from '../src/platform/node-version/needed-node.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

if (isNewEnough()) {
  const { keepCompiledCode } = await import('../src/platform/disk-cache/compiled-code.mjs');
  const { keepFilesPrivate } = await import('../src/platform/disk-cache/private-files.mjs');
  keepFilesPrivate();
  keepCompiledCode();
  await import('../src/cli/main.ts');
} else {
  const node = findInstalledNode();
  if (node) runOn(node);
  else giveUp(whatNodeIsNeeded());
}

/** Runs the command line on another Node and ends the way that one ends. */
function runOn(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.on('error', (error) =>
    giveUp(`groundwork could not run ${node} (${error.message}): run "npm ci" again, or use a newer Node.js of your own.\n`),
  );
  // As messages: a terminal signals both processes, and only the child can tell one Ctrl-C from two.
  for (const signal of SIGNALS) process.on(signal, () => child.connected && child.send(signal, () => {}));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    for (const name of SIGNALS) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

function giveUp(sentence) {
  process.stderr.write(sentence);
  process.exit(1);
}
