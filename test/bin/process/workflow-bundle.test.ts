// The workflows of a worker are bundled by another process.
import test from 'ava';
import { bundleWorkflows } from '../../../bin/process/workflow-bundle.ts';
import { childrenThatRun } from '../../support/child-processes.ts';
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
