// Programs from the system's packages: what the tests make speech with, and look at pages with.
import { SetupError, run, step, which } from './processes.mjs';

/** Each is named as its Debian package; Chromium looks at the pages, faketime sets clocks. */
const testPrograms = ['chromium', 'espeak-ng', 'faketime', 'flite', 'ffmpeg', 'openssl', 'sox'];

/** Installs what the tests make their recordings with, where it is missing. */
export async function ensurePrograms() {
  const missing = testPrograms.filter((program) => which(program) === null);
  if (missing.length > 0) await installPrograms(missing, 'the tests');
}

/**
 * Installs what keeps untrusted code apart, where that is a matter of one package. Without it the
 * service starts all the same, with less isolation, which `svc doctor` tells.
 */
export async function ensureSandbox() {
  const canInstall = process.getuid?.() === 0 && which('apt-get') !== null;
  if (process.platform !== 'linux' || which('bwrap') !== null || !canInstall) return;
  await installPrograms(['bubblewrap'], 'processes of untrusted code').catch((error) => {
    process.stderr.write(`  ! ${error.message}\n  ! Going on with less isolation.\n`);
  });
}

/**
 * Installs Debian packages as root.
 * @throws SetupError that names the command for a person with the right to install
 */
export async function installPrograms(packages, purpose) {
  const byHand = `apt-get install ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || which('apt-get') === null) {
    throw new SetupError(
      `${purpose} need ${packages.join(', ')}. Install them (on Debian: ${byHand}) and try again.`,
    );
  }
  await step(`installing ${packages.join(', ')}`, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env }).catch(() => {}); // Old lists may do.
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  });
}
