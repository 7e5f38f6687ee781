// The programs of `npm run elsewhere`: what hides instruction sets is compiled and linked to Node.
import { installPrograms } from './programs.mjs';
import { which } from './processes.mjs';

/** By their Debian packages. */
const programs = { gcc: ['gcc', 'libc6-dev'], patchelf: ['patchelf'] };

/** @throws SetupError */
export async function ensureElsewhereTools() {
  const missing = Object.keys(programs).filter((program) => which(program) === null);
  const packages = missing.flatMap((program) => programs[program]);
  if (packages.length > 0) await installPrograms(packages, 'other machines');
  return {};
}
