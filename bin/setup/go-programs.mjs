// Programs that tests use and that Go builds from published modules, into the cache.
import fs from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from './directories.mjs';
import { SetupError, run, step, which } from './processes.mjs';

/**
 * Go checks every version against its public sums.
 * @param {Record<string, { name: string, from: string }>} programs by the variable that names the
 *   path to the tests; `name` is that of the file, `from` package and version
 * @returns {Promise<Record<string, string>>} the paths by variable
 * @throws SetupError
 */
export async function ensureGoPrograms(programs) {
  const built = {};
  for (const [variable, program] of Object.entries(programs)) {
    built[variable] = await ensureBuilt(program);
  }
  return built;
}

async function ensureBuilt({ name, from }) {
  const folder = join(cacheDirectory, 'go-programs', from.replaceAll(/[^\w.-]+/g, '-'));
  const path = join(folder, name);
  if (fs.existsSync(path)) return path;
  if (which('go') === null) throw new SetupError(`${from} is built with Go: install it.`);
  await step(`building ${from} (some minutes, once)`, () =>
    run('go', ['install', '-trimpath', '-ldflags=-s -w', from], {
      // Away from the go.mod of this repository; an older Go brings the toolchain that it takes.
      cwd: cacheDirectory,
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto' },
    }),
  );
  return path;
}
