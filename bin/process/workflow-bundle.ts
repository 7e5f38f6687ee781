// The code of the workflows as one bundle, made by a process of its own.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('bundle-workflows.ts', import.meta.url));

/** The bundler would stay in the worker's memory, with 150 MB, for as long as it runs. */
export function bundleWorkflows(): Promise<{ readonly code: string }> {
  return new Promise((resolve, reject) => {
    const child = fork(script, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('message', (bundle) => resolve(bundle as { readonly code: string }));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      reject(new Error(`the workflows cannot be bundled (${signal ?? code}): ${errors.trim()}`));
    });
  });
}
