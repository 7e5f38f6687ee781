// What `svc backlog` and the gauges tell of a task queue.
import test from 'ava';
import { readBacklog, type BacklogSource } from '../../../bin/process/backlog.ts';

test('workers that are gone do not count, although the server still lists them', async (t) => {
  const polledAt = (ms: number) => ({ lastAccessTime: { seconds: Math.floor(ms / 1_000) } });
  const pollers = [polledAt(Date.now()), polledAt(Date.now() - 120_000), {}];
  const workflowService = {
    describeTaskQueue: () => Promise.resolve({ stats: { approximateBacklogCount: 3 }, pollers }),
  } as unknown as BacklogSource['workflowService'];
  const queues = await readBacklog({ workflowService, namespace: 'default', taskQueue: 'svc' });
  t.true(queues.length > 0);
  for (const queue of queues) t.like(queue, { tasks: 3, pollers: 1 }, queue.queue);
});
