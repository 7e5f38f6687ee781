// Python: the linter of `npm run check` and the environment of training/, both as their locks say.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory, repositoryRoot } from './places.mjs';
import { SetupError, run, step } from './processes.mjs';

const lintLock = join(repositoryRoot, 'training', 'requirements-lint.txt');
const quiet = ['--quiet', '--disable-pip-version-check'];
const locked = [...quiet, '--only-binary=:all:', '--require-hashes'];

/**
 * The linter's program, installed by pip into the cache; null where pip is not there or cannot
 * reach its index, which `npm run check` then says.
 */
export async function ensureRuff() {
  const folder = cached('ruff', lintLock);
  const program = join(folder, 'bin', 'ruff');
  if (fs.existsSync(program)) return program;
  try {
    await run('python3', ['-m', 'pip', '--version']);
    await step('installing ruff', () =>
      laidOut(folder, (work) =>
        run('python3', ['-m', 'pip', 'install', ...locked, '--target', work, '-r', lintLock]),
      ),
    );
    return program;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`  ! The Python files are not checked: ${error.message}\n`);
    return null;
  }
}

/** A folder of the cache that belongs to one state of a lock. */
export function cached(name, lock) {
  const hash = createHash('sha256').update(fs.readFileSync(lock)).digest('hex');
  return join(cacheDirectory, 'python', `${name}-${hash.slice(0, 12)}`);
}

/** Fills a folder beside its place and moves it there, so that half a folder is never found. */
async function laidOut(folder, fill) {
  fs.mkdirSync(join(folder, '..'), { recursive: true });
  const work = fs.mkdtempSync(`${folder}.`);
  try {
    await fill(work);
    // Another clone was faster where the folder is there by now.
    if (!fs.existsSync(folder)) fs.renameSync(work, folder);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}
