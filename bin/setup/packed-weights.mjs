// Weights packed for the processor of this machine, once for all processes that map them.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { modelsDirectory, repositoryRoot } from './directories.mjs';
import { sizeAndTimeOf } from './hashes.mjs';
import { nodeBinary } from './packages.mjs';
import { run, step } from './processes.mjs';
import { inWorkFolder } from './work-folders.mjs';

const cache = join(repositoryRoot, 'node_modules', '.cache', 'packed-weights');
const conversion = join(repositoryRoot, 'bin', 'conversion');
const packing = join(conversion, 'pack-weights.ts');
const proving = join(conversion, 'prove-packed.ts');
const graphs = join(repositoryRoot, 'models', 'graphs');
const partialPrefix = 'partial-';
/** Packing takes ten seconds. */
const abandonedMs = 3_600_000;
const runtime = join(repositoryRoot, 'node_modules', 'onnxruntime-node', 'package.json');

/**
 * Packs the weights unless that was done for these models on such a processor (docs/adr/0068).
 * Needs the packages and the models. Where they cannot be kept, each process packs its own.
 * @returns {Promise<Record<string, string>>} the variable by which a worker finds them
 */
export async function ensurePackedWeights() {
  let folder = null;
  try {
    folder = join(cache, fingerprint());
    if (!fs.existsSync(folder)) {
      await step('packing weights for this processor', () => pack(folder));
    }
  } catch (error) {
    // Another set-up may have been the first.
    if (folder === null || !fs.existsSync(folder)) {
      process.stderr.write(`  ! each process packs the weights: ${error.message}\n`);
      return {};
    }
  }
  return { SVC_PACKED_WEIGHTS_DIR: folder };
}

/** A run that is interrupted leaves nothing that would be taken for complete. */
async function pack(folder) {
  fs.mkdirSync(cache, { recursive: true });
  removeOthers();
  await inWorkFolder(join(cache, partialPrefix), async (partial) => {
    fs.chmodSync(partial, 0o755);
    await run(nodeBinary(), [packing, modelsDirectory, partial]);
    for (const bundle of fs.readdirSync(partial)) await proveOrDrop(partial, bundle);
    fs.renameSync(partial, folder);
  });
}

/** What is there is of other models or another processor: hundreds of megabytes. */
function removeOthers() {
  for (const name of fs.readdirSync(cache)) {
    const path = join(cache, name);
    const ageMs = Date.now() - fs.statSync(path).mtimeMs;
    // Another set-up may be at work.
    if (name.startsWith(partialPrefix) && ageMs < abandonedMs) continue;
    fs.rmSync(path, { recursive: true, force: true });
  }
}

/** Which kernels read packed weights, and how, is the processor's and the runtime's affair. */
async function proveOrDrop(packed, bundle) {
  try {
    await run(nodeBinary(), [proving, modelsDirectory, packed, bundle]);
  } catch (error) {
    process.stderr.write(`  ! each process packs the weights of ${bundle}: ${error.message}\n`);
    fs.rmSync(join(packed, bundle), { recursive: true });
  }
}

/** Of what the packed weights depend on: processor, runtime, graphs and models. */
function fingerprint() {
  const hash = createHash('sha256').update(processor());
  hash.update(fs.readFileSync(runtime));
  for (const script of [packing, proving]) hash.update(fs.readFileSync(script));
  for (const name of fs.readdirSync(graphs).sort()) {
    hash.update(`\n${name}\n`).update(fs.readFileSync(join(graphs, name)));
  }
  for (const path of modelFiles()) {
    hash.update(`\n${path} ${sizeAndTimeOf(join(modelsDirectory, path))}`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Kind and instructions of the first core, which are those of all. */
function processor() {
  const [{ model } = { model: '' }] = cpus();
  const lines = fs.existsSync('/proc/cpuinfo') ? fs.readFileSync('/proc/cpuinfo', 'utf8') : '';
  const facts = /^(vendor_id|cpu family|model|stepping|flags|Features|CPU \w+)\s*:.*$/gm;
  const [first = ''] = lines.split('\n\n');
  return [process.platform, process.arch, model, ...(first.match(facts) ?? [])].join('\n');
}

/** Below the folder of the models, without those of downloads that go on. */
export function modelFiles(directory = modelsDirectory) {
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => fs.readdirSync(join(directory, name)).map((file) => join(name, file)))
    .sort();
}
