// The embedded Temporal server: what must survive a kill of its process.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import test from 'ava';
import { startServices } from '../../runner/services.ts';
import { connectPatiently } from '../../support/patience.ts';
import { until } from '../../support/until.ts';

test.serial(
  'histories are in the data directory, whatever its path and the environment',
  async (t) => {
    // Of the command line's own configuration, which the server would look for.
    process.env.TEMPORAL_ENV = 'production';
    t.teardown(() => delete process.env.TEMPORAL_ENV);
    const parent = mkdtempSync(join(tmpdir(), 'svc-temporal-'));
    t.teardown(() => rmSync(parent, { recursive: true }));
    const dataDirectory = join(parent, 'calls #1 50%20?');
    mkdirSync(dataDirectory);
    chmodSync(parent, 0o755);
    const services = await startServices({ only: ['Temporal'], dataDirectory });
    t.true(existsSync(join(dataDirectory, 'temporal.db')));
    await services.stop();
    t.deepEqual(readdirSync(parent), []);
  },
);

test('a workflow that was just started survives a kill of the server', async (t) => {
  const services = await startServices({ only: ['Temporal'] });
  t.teardown(() => services.stop());
  const address = services.environment.TEST_TEMPORAL_ADDRESS ?? '';
  const connection = await connectPatiently(address);
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
