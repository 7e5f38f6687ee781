// The schedule of the sweeper is created by a worker that starts before every server knows the
// namespace.
import { NamespaceNotFoundError, ScheduleAlreadyRunning, type Client } from '@temporalio/client';
import test from 'ava';
import { ensureSweepSchedule } from '../../../bin/process/sweep-schedule.ts';

function clientThat(...outcomes: readonly (Error | null)[]): {
  client: Client;
  calls: () => number;
} {
  let calls = 0;
  const create = (): Promise<void> => {
    const outcome = outcomes[calls] ?? null;
    calls += 1;
    return outcome ? Promise.reject(outcome) : Promise.resolve();
  };
  return { client: { schedule: { create } } as unknown as Client, calls: () => calls };
}

test('a namespace that a server does not know yet is waited for', async (t) => {
  const unknown = new NamespaceNotFoundError('speech');
  const { client, calls } = clientThat(unknown, unknown, null);
  t.true(await ensureSweepSchedule(client, 'svc'));
  t.is(calls(), 3);
});

test('a schedule that exists is kept, and other errors are not waited out', async (t) => {
  const running = new ScheduleAlreadyRunning('schedule', 'svc-sweep');
  t.false(await ensureSweepSchedule(clientThat(running).client, 'svc'));
  const denied = clientThat(new Error('denied'));
  await t.throwsAsync(ensureSweepSchedule(denied.client, 'svc'), { message: 'denied' });
  t.is(denied.calls(), 1);
});
