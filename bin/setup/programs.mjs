// Installs system packages: programs that the tests use, and the sandbox.
import { SetupError, run, step, which } from './processes.mjs';

/** Each program is named like its Debian package. */
const testPrograms = ['espeak-ng', 'faketime', 'flite', 'ffmpeg', 'openssl', 'sox'];
/** Any will do; without windows a page costs a tenth of the time. */
const browsers = ['chromium-headless-shell', 'chromium'];

/** Installs the missing programs of the tests. */
export async function ensurePrograms() {
  const missing = testPrograms.filter((program) => which(program) === null);
  if (findBrowser() === null) missing.push(browsers[0]);
  if (missing.length > 0) await installPrograms(missing, 'the tests');
}

/** The path of the browser of the tests; null if there is none. */
export function findBrowser() {
  return browsers.map(which).find((path) => path !== null) ?? null;
}

/**
 * Installs the sandbox of untrusted code where one package suffices. Without it the service starts
 * with less isolation, which `svc doctor` reports.
 */
export async function ensureSandbox() {
  const canInstall = process.getuid?.() === 0 && which('apt-get') !== null;
  if (process.platform !== 'linux' || which('bwrap') !== null || !canInstall) return;
  await installPrograms(['bubblewrap'], 'processes of untrusted code').catch((error) => {
    process.stderr.write(`  ! ${error.message}\n  ! Continuing with less isolation.\n`);
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
