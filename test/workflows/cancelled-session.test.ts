// An operator cancels a prepared session: its minutes are not held until the sweeper finds it.
import { randomBytes } from 'node:crypto';
import test from 'ava';
import type { StreamActivities } from '../../workflows/activities.ts';
import type { PreparedSessionInput } from '../../workflows/types.ts';
import { until } from '../support/until.ts';
import { startWorkflowWorkers } from '../support/workflow-workers.ts';

test('it is closed at once, and none of its slots can be claimed', async (t) => {
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const closed: string[] = [];
  const closing = Promise.withResolvers<void>();
  const steps: Partial<StreamActivities> = {
    closeSession: async ({ sessionId }) => {
      closed.push(sessionId);
      await closing.promise;
    },
  };
  const client = await startWorkflowWorkers(t, taskQueue, steps);
  t.teardown(() => closing.resolve());
  const session: PreparedSessionInput = {
    ...{ organizationId: 'org_1', sessionId: 'session', slots: 2, expiresAtMs: 0 },
    lifeMs: 86_400_000,
  };
  const handle = await client.workflow.start('preparedSession', {
    ...{ taskQueue, workflowId: `ses/${taskQueue}`, args: [session] },
  });
  const claim = (slot: number): Promise<string> =>
    handle.executeUpdate('claimSlot', { args: [slot] });
  t.is(await claim(0), 'claimed');
  await handle.cancel();
  const ended = handle.result().catch(() => {});
  await Promise.race([until(() => closed.length > 0), ended]);
  t.deepEqual(closed, ['session']);
  t.is(await claim(1), 'expired');
  closing.resolve();
  await t.throwsAsync(handle.result());
  t.is((await handle.describe()).status.name, 'CANCELLED');
});
