// The sweeper ends requests and batches whose workflow is gone, and those alone.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import test from 'ava';
import { workflowState } from '../../../bin/process/workflow-state.ts';

test('a workflow that an operator has paused goes on', async (t) => {
  const stateOf = (describe: () => Promise<unknown>): Promise<string> =>
    workflowState({ workflow: { getHandle: () => ({ describe }) } } as unknown as Client, 'id');
  const named = (name: string) => stateOf(async () => ({ status: { name } }));
  t.is(await named('RUNNING'), 'running');
  t.is(await named('PAUSED'), 'running');
  t.is(await named('TERMINATED'), 'closed');
  t.is(await stateOf(() => Promise.reject(new WorkflowNotFoundError('', 'id', ''))), 'absent');
});
