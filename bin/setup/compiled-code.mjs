// The sources as Node's compile cache keeps them: without their types, and compiled.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from './directories.mjs';
import { sizeAndTimeOf } from './hashes.mjs';
import { nodeBinary, readIfThere } from './packages.mjs';
import { run } from './processes.mjs';

const script = fileURLToPath(new URL('compile-sources.mjs', import.meta.url));
const folder = join(repositoryRoot, 'node_modules', '.cache', 'compiled');
const stampPath = join(folder, '.sources');

/**
 * Fills the cache unless that was done for these sources: a process that finds its modules there
 * needs neither the parser of TypeScript, which takes 20 MB, nor 0.3 s of a core (docs/adr/0066).
 * Needs the packages. Nothing depends on the cache: where it cannot be filled, each process does
 * the work itself, and the one whose source is wrong says so.
 * @returns {Promise<Record<string, string>>} the variable by which a process finds the cache
 */
export async function ensureCompiledCode() {
  const wanted = fingerprint();
  try {
    if (readIfThere(stampPath) !== wanted) {
      mkdirSync(folder, { recursive: true });
      await compileSources(folder);
      makeReadable(folder);
      writeFileSync(stampPath, wanted);
    }
  } catch {
    // Not writable, or a source that cannot be loaded.
  }
  return { NODE_COMPILE_CACHE: folder };
}

/** @throws SetupError when a module cannot be loaded, or imports what there is not */
export async function compileSources(cache) {
  await run(nodeBinary(), [script], { env: { ...process.env, NODE_COMPILE_CACHE: cache } });
}

/** Paths of what the processes of the service load, without packages. */
export function sources() {
  const folders = ['activities', 'api', 'bin', 'db', 'models', 'workflows'];
  return folders.flatMap((name) => [...filesBelow(join(repositoryRoot, name))]);
}

function* filesBelow(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) yield* filesBelow(child);
    else if (entry.name.endsWith('.ts')) yield child;
  }
}

/** Paths, sizes and times of the sources, and which Node there is. */
function fingerprint() {
  const hash = createHash('sha256').update(nodeBinary());
  for (const path of sources()) hash.update(`\n${path} ${sizeAndTimeOf(path)}`);
  return hash.digest('hex');
}

/**
 * Node writes for its own user alone, and processes of a sandbox have others. What processes add
 * later stays theirs: packages that are no modules, of which a sandbox loads few.
 */
function makeReadable(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    try {
      chmodSync(child, entry.isDirectory() ? 0o755 : 0o644);
      if (entry.isDirectory()) makeReadable(child);
    } catch (error) {
      // Node renames each file that it has written.
      if (error.code !== 'ENOENT') throw error;
    }
  }
}
