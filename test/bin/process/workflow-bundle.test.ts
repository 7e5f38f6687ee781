// The workflows of a worker are bundled by another process, or were before.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';
import test from 'ava';
import { bundleWorkflows, workflowBundle } from '../../../bin/process/workflow-bundle.ts';
import { childrenThatRun } from '../../support/child-processes.ts';
import { withDirectory } from '../../support/speech.ts';
import { until } from '../../support/until.ts';

const bundlers = () => childrenThatRun('process/bundle-workflows');

test.serial('the bundle has every workflow, and its process ends', async (t) => {
  const bundling = bundleWorkflows();
  t.is((await until(bundlers, ({ length }) => length > 0)).length, 1);
  const { code } = await bundling;
  for (const name of ['analyzeRecording', 'runBatch', 'streamRecording', 'deliverWebhook']) {
    t.true(code.includes(name), name);
  }
  await until(bundlers, ({ length }) => length === 0);
});

test.serial('a bundler that is killed rejects with the signal', async (t) => {
  const bundling = bundleWorkflows();
  const [pid] = await until(bundlers, ({ length }) => length > 0);
  process.kill(pid!, 'SIGKILL');
  await t.throwsAsync(bundling, { message: /cannot be bundled \(SIGKILL\)/ });
});

test.serial('a file that was bundled before is used, but not with tracing', async (t) => {
  const settings = { SVC_WORKFLOW_BUNDLE: '/app/workflow-bundle.js' };
  t.deepEqual(await workflowBundle(settings, { plugins: [] }), {
    codePath: '/app/workflow-bundle.js',
  });
  const plugins = [{} as OpenTelemetryPlugin];
  const bundle = await workflowBundle(settings, { plugins });
  t.true('code' in bundle && bundle.code.includes('analyzeRecording'));
});

test.serial('the step of the Dockerfile writes the file', async (t) => {
  const root = join(import.meta.dirname, '..', '..', '..');
  const steps = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, code = ''] = /--eval "(.*writeWorkflowBundle\(.*)"/.exec(steps) ?? [];
  await withDirectory(async (directory) => {
    const inPlace = code.replace('/app/', `${directory}/`);
    execFileSync(process.execPath, ['--input-type=module', '--eval', inPlace], { cwd: root });
    const bundle = readFileSync(join(directory, 'workflow-bundle.js'), 'utf8');
    t.true(bundle.includes('analyzeRecording'));
  });
});
