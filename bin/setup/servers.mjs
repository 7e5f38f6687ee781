// The two Go servers of the embedded stack: on PATH, in the cache, or built from tools/go.mod.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory, repositoryRoot } from './places.mjs';
import { nodeBinary } from './packages.mjs';
import { SetupError, run, step, which } from './processes.mjs';

const toolsDirectory = join(repositoryRoot, 'tools');
const commandPackages = {
  temporal: 'github.com/temporalio/cli/cmd/temporal',
  versitygw: 'github.com/versity/versitygw/cmd/versitygw',
};

/** The address that makes an embedded server superfluous. */
const replacedBy = { temporal: 'TEMPORAL_ADDRESS', versitygw: 'S3_ENDPOINT' };

/**
 * Paths of the servers that this start needs.
 * @param {{ packages: Promise<void> }} after the SDK's own download needs the npm packages
 * @returns {Promise<{ temporal?: string, versitygw?: string }>}
 */
export async function ensureServers({ packages }) {
  const needed = Object.keys(commandPackages).filter((name) => !process.env[replacedBy[name]]);
  const found = Object.fromEntries(needed.map((name) => [name, which(name) ?? cached(name)]));
  const missing = needed.filter((name) => found[name] === null);
  if (missing.length === 0) return found;
  if (which('go') !== null) {
    await step('building Temporal server and S3 gateway (about 4 minutes, once)', build);
    return { ...found, ...Object.fromEntries(missing.map((name) => [name, cached(name)])) };
  }
  if (missing.includes('versitygw')) throw new SetupError(adviceFor('versitygw'));
  await packages;
  return { ...found, temporal: await step('downloading the Temporal server', download) };
}

/** Builds of other pins stay where they are: another clone may use them. */
function cacheFolder() {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum']) hash.update(fs.readFileSync(join(toolsDirectory, name)));
  return join(cacheDirectory, 'servers', hash.digest('hex').slice(0, 16));
}

function cached(name) {
  const path = join(cacheFolder(), name);
  return fs.existsSync(path) ? path : null;
}

async function build() {
  fs.mkdirSync(join(cacheDirectory, 'servers'), { recursive: true });
  const work = fs.mkdtempSync(join(cacheDirectory, 'servers', '.build-'));
  try {
    const flags = ['-trimpath', '-ldflags', '-s -w', '-o', `${work}/`];
    await run('go', ['build', ...flags, ...Object.values(commandPackages)], {
      cwd: toolsDirectory,
      // An older Go (from 1.21) brings the toolchain that go.mod names, as a module.
      env: { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=readonly' },
    });
    fs.mkdirSync(cacheFolder(), { recursive: true });
    for (const name of Object.keys(commandPackages)) {
      fs.renameSync(join(work, name), join(cacheFolder(), name));
    }
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/** Last resort, for machines without Go: Temporal's SDK knows where its maker publishes it. */
async function download() {
  const folder = join(cacheDirectory, 'servers', 'sdk-download');
  fs.mkdirSync(folder, { recursive: true });
  const script = join(repositoryRoot, 'bin', 'setup', 'download-temporal.mjs');
  try {
    return (await run(nodeBinary, [script, folder])).trim();
  } catch (error) {
    throw new SetupError(`${adviceFor('temporal')}\n  ${error.message}`);
  }
}

function adviceFor(name) {
  return (
    `the server "${name}" is missing and Go, which builds it, is not on PATH. Install Go 1.21 or ` +
    `later, or put ${name} on PATH, or set ${replacedBy[name]} to a running one.`
  );
}
