// Temporal and the S3 server of the embedded stack: named by a variable, or brought to the cache.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory, repositoryRoot } from './directories.mjs';
import { isAsBuilt, recordBuild } from './hashes.mjs';
import { ensureLocked, ensurePip } from './python.mjs';
import { SettingError, SetupError, run, step, which } from './processes.mjs';
import { adviceFor, chosenServer } from './s3-choice.mjs';
import { inWorkFolder, removeAbandoned } from './work-folders.mjs';

const toolsDirectory = join(repositoryRoot, 'tools');
const serversCache = join(cacheDirectory, 'servers');
const gatewayPackage = 'github.com/versity/versitygw/cmd/versitygw';

/**
 * Brings the servers that no variable replaces.
 * @param {object} options
 * @param {string | null} options.dataDirectory whose objects are kept; null: a new one
 * @param {boolean} options.everyS3Server a suite holds its tests against each that can be had
 * @returns {Promise<Record<string, string>>} variables of the stack
 */
export async function ensureServers({ dataDirectory, everyS3Server }) {
  tellPlatform();
  const [temporal, s3] = await Promise.all([
    process.env.TEMPORAL_ADDRESS ? {} : ensureTemporal(),
    process.env.S3_ENDPOINT ? {} : ensureS3Server(dataDirectory, everyS3Server),
  ]);
  return { ...temporal, ...s3 };
}

/**
 * A program that the operator answers for. Programs on PATH are not looked for: whichever version
 * happens to be there would write the histories and objects.
 */
function named(variable) {
  const path = process.env[variable];
  if (!path) return null;
  if (fs.statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  throw new SettingError(`${variable} must be the path of a program, not "${path}"`);
}

async function ensureTemporal() {
  const lock = join(toolsDirectory, 'temporal.txt');
  const program = named('SVC_TEMPORAL_BINARY') ?? (await ensureLocked('temporal', lock, ensurePip));
  return { SVC_TEMPORAL_BINARY: program };
}

async function ensureS3Server(dataDirectory, everyS3Server) {
  const chosen = chosenServer(dataDirectory, process.env.SVC_S3_SERVER);
  const gateway = chosen === 'seaweedfs' && !everyS3Server ? null : await ensureGateway(chosen);
  if (gateway === null && chosen === 'versitygw') {
    const why = 'Go 1.21 or later, which builds versitygw, is not on PATH';
    throw new SetupError(adviceFor('versitygw', dataDirectory, why));
  }
  const server = chosen ?? (gateway === null ? 'seaweedfs' : 'versitygw');
  const weed =
    server === 'seaweedfs'
      ? await ensureSeaweed(dataDirectory)
      : everyS3Server && (await orNull(ensureSeaweed(dataDirectory)));
  return {
    SVC_S3_SERVER: server,
    ...(gateway && { SVC_VERSITYGW_BINARY: gateway }),
    ...(weed && { SVC_SEAWEEDFS_BINARY: weed }),
  };
}

async function ensureSeaweed(dataDirectory) {
  const program = named('SVC_SEAWEEDFS_BINARY');
  if (program !== null) return program;
  try {
    return await ensureLocked('weed', join(toolsDirectory, 'seaweedfs.txt'), ensurePip);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    const advice = adviceFor('seaweedfs', dataDirectory, 'seaweedfs could not be installed');
    throw new SetupError(`${error.message}\n  ${advice}`);
  }
}

/** What another server can stand in for may be missing. */
function orNull(promise) {
  return promise.catch((error) => {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`  ! Going on without it: ${error.message}\n`);
    return null;
  });
}

/** The gateway's path; null where nobody names one and nothing here could build it. */
async function ensureGateway(chosen) {
  const program = named('SVC_VERSITYGW_BINARY');
  if (program !== null) return program;
  removeAbandoned(serversCache);
  const path = join(gatewayFolder(), 'versitygw');
  if (fs.existsSync(path) && isAsBuilt(path)) return path;
  if (which('go') === null) return null;
  const built = step('building the S3 gateway with Go (2 to 3 minutes, once)', () => build(path));
  return chosen === 'versitygw' ? built : orNull(built);
}

/** Builds of other pins stay where they are: another clone may use them. */
function gatewayFolder() {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum']) hash.update(fs.readFileSync(join(toolsDirectory, name)));
  return join(serversCache, hash.digest('hex').slice(0, 16));
}

async function build(path) {
  fs.mkdirSync(gatewayFolder(), { recursive: true });
  return inWorkFolder(join(serversCache, '.build-'), async (work) => {
    const flags = ['-trimpath', '-ldflags', '-s -w', '-o', `${work}/`];
    await run('go', ['build', ...flags, gatewayPackage], {
      cwd: toolsDirectory,
      // An older Go (from 1.21) brings the toolchain that go.mod names, as a module.
      env: { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=readonly' },
    });
    fs.renameSync(join(work, 'versitygw'), path);
    recordBuild(path);
    return path;
  });
}

/** Linux on x64 is what the suites have run on. */
function tellPlatform() {
  const { platform, arch } = process;
  if (platform === 'linux' && arch === 'x64') return;
  const known = {
    'linux arm64': 'every server and library is published for it',
    'darwin arm64': 'every server and library is published for it; untrusted code is not isolated',
    'darwin x64': 'SeaweedFS is not published for it: the S3 server needs Go, or S3_ENDPOINT',
  };
  const what = known[`${platform} ${arch}`] ?? 'no server is known to be published for it';
  process.stderr.write(`  ! ${platform} ${arch} is not tested: ${what}.\n`);
}
