// The clients of the batch API at /compat/hume, as PyPI has them.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonTools } from './python-tools.ts';
import type { TestStack } from './stack.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..', 'hume');

/** Runs their jobs with a recording. @returns what they saw */
export async function humeJobs(
  { base, account }: Pick<TestStack, 'base' | 'account'>,
  { path, url }: { readonly path: string; readonly url: string },
): Promise<any> {
  const requirements = join(folder, 'requirements.txt');
  const tools = await pythonTools({ name: 'hume', requirements, noDependencies: true });
  const settings = { SVC_BASE_URL: base, SVC_API_KEY: account.key, RECORDING_URL: url };
  const env = { ...process.env, ...settings };
  const { stdout } = await run(join(tools, 'bin', 'python'), [join(folder, 'jobs.py'), path], {
    env,
  });
  return JSON.parse(stdout);
}
