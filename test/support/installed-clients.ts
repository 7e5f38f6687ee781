// The client packages as their users get them: packed, and installed where nothing else is.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const packages = join(root, 'node_modules');
const compiler = join(packages, '.bin', 'tsc');

/** Programs of a page: its fenced blocks of a language, in order. */
export async function examplesOf(page: string, language: string): Promise<readonly string[]> {
  const text = await readFile(join(root, page), 'utf8');
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(block)].map(([, code]) => code!);
}

/** Packs the TypeScript client and installs the archive in the folder, without a network. */
export async function installPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  // The compiler of `prepack` runs with the Node of these tests.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const pack = ['pack', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: join(root, 'clients', 'typescript'), env });
  const archive = join(folder, stdout.trim().split('\n').at(-1)!);
  const flags = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
  await run('npm', ['install', ...flags, archive], { cwd: folder, env });
}

const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'];

/** Compiles the examples, and the entries that a page may use without the types of Node. */
export async function compileExamples(folder: string, examples: readonly string[]): Promise<void> {
  const files = examples.map((_, i) => `example-${i}.ts`);
  for (const [i, file] of files.entries()) await writeFile(join(folder, file), examples[i]!);
  const page = "import 'svc-speech-client';\nimport 'svc-speech-client/browser';\n";
  await writeFile(join(folder, 'page.ts'), page);
  const node = ['--types', 'node', '--typeRoots', join(packages, '@types')];
  const lib = ['--lib', 'es2024,dom,dom.asynciterable'];
  await run(compiler, [...strict, ...node, '--skipLibCheck', ...files], { cwd: folder });
  await run(compiler, [...strict, ...lib, 'page.ts'], { cwd: folder });
}

/** Builds the wheel of the Python client and installs it. @returns the environment's Python */
export async function installWheel(folder: string): Promise<string> {
  const source = join(root, 'clients', 'python');
  // With the pip that is there: to install one takes longer than everything else.
  await run('python3', ['-m', 'venv', '--without-pip', folder]);
  const python = join(folder, 'bin', 'python');
  const own = ['-m', 'pip', '--python', python, '--disable-pip-version-check', '--quiet'];
  const pip = async (...args: readonly string[]): Promise<void> =>
    void (await run('python3', [...own, ...args]));
  await pip('install', '--no-deps', '-r', join(source, 'tests', 'requirements.txt'));
  await pip('wheel', '--no-deps', '--no-build-isolation', '--wheel-dir', folder, source);
  // What the wheel declares is resolved among the packages that are there.
  await pip('install', '--no-index', '--find-links', folder, 'svc-speech');
  return python;
}
