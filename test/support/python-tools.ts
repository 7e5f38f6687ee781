// Python programs that longer suites use, each installed in a folder of its own, kept between runs.
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const quiet = ['--quiet', '--disable-pip-version-check'];

export interface PythonToolsOptions {
  /** The folder's name. */
  readonly name: string;
  /** Path of a requirements.txt with pinned versions. */
  readonly requirements: string;
  /** The file lists every package itself, so declared dependencies are not resolved. */
  readonly noDependencies?: boolean;
}

/** A virtual environment with the pinned tools. @returns its folder, with `bin` inside */
export async function pythonTools(options: PythonToolsOptions): Promise<string> {
  const { name, requirements, noDependencies = false } = options;
  const folder = join(process.env.SVC_CACHE_DIR ?? tmpdir(), name);
  const stamp = join(folder, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    await run('python3', ['-m', 'venv', '--clear', folder]);
    const flags = [...quiet, ...(noDependencies ? ['--no-deps'] : [])];
    await run(join(folder, 'bin', 'pip'), ['install', ...flags, '-r', requirements]);
    writeFileSync(stamp, wanted);
  }
  return folder;
}

/** Runs a program with its output shown. @returns its exit code */
export async function show(program: string, args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', reject);
  child.once('exit', (code) => resolve(code ?? 1));
  return promise;
}
