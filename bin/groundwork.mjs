#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 26;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const inPackage = (path) => new URL(`../${path}`, import.meta.url);
if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR) {
  const { keepCompiledCode } = await import('../src/platform/kept/compiled-code.mjs');
  keepCompiledCode();
  await import('../src/cli/main.ts');
} else {
  runPinned(fileURLToPath(inPackage(`node_modules/node/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`)));
}

/** Runs the command line on the Node that the package brings along and ends the way that one ends. */
function runPinned(node) {
  if (!existsSync(node)) {
    const folder = fileURLToPath(inPackage('.'));
    process.stderr.write(`groundwork runs on Node ${NEEDED_MAJOR}, which is not installed here yet: run "npm ci" in ${folder} and try again.\n`);
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.on('error', (error) => {
    process.stderr.write(`groundwork could not run ${node} (${error.message}): run "npm ci" and try again.\n`);
    process.exit(1);
  });
  // As messages: a terminal signals both processes, and only the child can tell one Ctrl-C from two.
  for (const signal of SIGNALS) process.on(signal, () => child.connected && child.send(signal, () => {}));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    for (const name of SIGNALS) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
