// The Python environment of training/, as its lock says.
import fs from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './directories.mjs';
import { SetupError, run, step } from './processes.mjs';
import { cached, pip } from './python.mjs';

const lock = join(repositoryRoot, 'training', 'requirements.txt');
/** What the lock was made for; older releases have no such packages. */
const leastPython = [3, 11];

/**
 * The Python of an environment with the packages of training/.
 * @throws SetupError where there is no Python that they run on, or a package cannot be had
 */
export async function ensureTrainingPython() {
  const folder = cached('training', lock);
  const python = join(folder, 'bin', 'python');
  const stamp = join(folder, '.svc-setup');
  if (fs.existsSync(stamp)) return python;
  const base = await findPython();
  const quiet = ['--quiet', '--disable-pip-version-check'];
  const locked = ['--only-binary=:all:', '--require-hashes', '-r', lock];
  await step('installing the Python packages of training', async () => {
    // An environment has its own path in it, so it is made in its place and stamped when whole.
    fs.rmSync(folder, { recursive: true, force: true });
    await run(base, ['-m', 'venv', folder]);
    await pip(['install', ...quiet, ...locked], python);
    fs.writeFileSync(stamp, '');
  });
  return python;
}

async function findPython() {
  const [major, minor] = leastPython;
  const probe = `import sys, ensurepip, venv; sys.exit(sys.version_info < (${major}, ${minor}))`;
  for (const name of ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11']) {
    const fits = await run(name, ['-c', probe]).then(
      () => true,
      () => false,
    );
    if (fits) return name;
  }
  throw new SetupError(
    `training needs Python ${major}.${minor} or later with its module venv on the path ` +
      '(on Debian: apt-get install python3-venv)',
  );
}
