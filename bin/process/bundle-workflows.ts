// A process that bundles the workflows, sends the code to its parent, and ends.
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { startTracing } from './tracing.ts';

const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
// The plugins of tracing add modules to the bundle.
const { plugins } = await startTracing('bundler', process.env);
const { code } = await bundleWorkflowCode({
  workflowsPath,
  // Evaluated once for all workflows of a thread, not for each: they keep nothing between them.
  preloadModules: ['@temporalio/workflow', workflowsPath],
  plugins: [...plugins],
  logger: new DefaultLogger('ERROR', ({ message }) => process.stderr.write(`${message}\n`)),
});
process.send!({ code }, () => process.exit(0));
