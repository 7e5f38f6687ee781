// The code of the workflows as one bundle: read from a file, or made by a process of its own.
import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Tracing } from './tracing.ts';

const script = fileURLToPath(new URL('bundle-workflows.ts', import.meta.url));

/**
 * The bundle of a worker: the file that the setting names, or one made now, which takes 3 s of a
 * core. Tracing adds modules to a bundle, which the file lacks.
 */
export async function workflowBundle(
  { SVC_WORKFLOW_BUNDLE: codePath }: { readonly SVC_WORKFLOW_BUNDLE?: string | undefined },
  { plugins }: Pick<Tracing, 'plugins'>,
): Promise<WorkflowBundleOption> {
  return codePath && plugins.length === 0 ? { codePath } : bundleWorkflows();
}

/** Makes the file that `SVC_WORKFLOW_BUNDLE` names, for workers of exactly this version. */
export async function writeWorkflowBundle(file: string): Promise<void> {
  const { code } = await bundleWorkflows();
  await writeFile(file, code);
}

/** The bundler would stay in the worker's memory, with 150 MB, for as long as it runs. */
export function bundleWorkflows(): Promise<{ readonly code: string }> {
  return new Promise((resolve, reject) => {
    // Of the image's build the flags are those of a program on the command line.
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
    const child = fork(script, { stdio: [...stdio], execArgv: [] });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('message', (bundle) => resolve(bundle as { readonly code: string }));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      reject(new Error(`the workflows cannot be bundled (${signal ?? code}): ${errors.trim()}`));
    });
  });
}
