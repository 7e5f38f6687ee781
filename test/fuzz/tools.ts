// Programs of `npm run fuzz` in a folder of their own, kept between runs.
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const requirements = join(import.meta.dirname, 'requirements.txt');
const quiet = ['--quiet', '--disable-pip-version-check'];

/** A virtual environment with the pinned tools. @returns its folder of programs */
export async function pythonTools(cacheDirectory: string): Promise<string> {
  const folder = join(cacheDirectory, 'fuzz');
  const stamp = join(folder, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    await run('python3', ['-m', 'venv', '--clear', folder]);
    await run(join(folder, 'bin', 'pip'), ['install', ...quiet, '-r', requirements]);
    writeFileSync(stamp, wanted);
  }
  return join(folder, 'bin');
}

/** Runs a program with its output shown. @returns its exit code */
export async function show(program: string, args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', reject);
  child.once('exit', (code) => resolve(code ?? 1));
  return promise;
}
