// The embedded Temporal server: what must survive a kill of its process.
import { Client, Connection } from '@temporalio/client';
import test from 'ava';
import { startServices } from '../../runner/services.ts';
import { until } from '../../support/until.ts';

test('a workflow that was just started survives a kill of the server', async (t) => {
  const services = await startServices({ only: ['Temporal'] });
  t.teardown(() => services.stop());
  const address = services.environment.TEST_TEMPORAL_ADDRESS ?? '';
  const connection = await Connection.connect({ address });
  t.teardown(() => connection.close());
  const client = new Client({ connection });
  const ids = Array.from({ length: 20 }, (_, i) => `kept-${i}`);
  await Promise.all(
    ids.map((workflowId) => client.workflow.start('any', { taskQueue: 'no-worker', workflowId })),
  );
  services.kill('Temporal');
  for (const workflowId of ids) {
    t.is(await untilDescribed(client, workflowId), 'RUNNING', workflowId);
  }
});

async function untilDescribed(client: Client, workflowId: string): Promise<string | null> {
  return until(() =>
    client.workflow
      .getHandle(workflowId)
      .describe()
      .then(
        ({ status }) => status.name,
        (error: Error) => (error.name === 'WorkflowNotFoundError' ? 'lost' : null),
      ),
  );
}
