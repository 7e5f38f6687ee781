// Which chunks go to a process together: those that are queued, up to one process's share.
import test from 'ava';
import { createFairQueue } from '../../../models/fairness/fair-queue.ts';
import { takeGroup } from '../../../models/inference/job-group.ts';
import type { Job } from '../../../models/inference/messages.ts';
import type { QueuedJob } from '../../../models/inference/queued-job.ts';

const words = { words: true, language: 'en', text: false, head: null, spans: [] };

function queued(seconds: number, other: Partial<QueuedJob> = {}): QueuedJob {
  const samples = seconds * 16_000;
  const job: Job = { kind: 'analyze', chunks: [{ samples, request: words }] };
  return {
    ...{ job, pcm: new Int16Array(samples), organizationId: 'a', priority: 1, cost: seconds },
    ...{ signal: undefined, queuedAt: 0, crashes: 0, runsAlone: false },
    ...{ resolve: () => {}, reject: () => {} },
    ...other,
  };
}

/** The group of the first job, and what is left in the queue. */
function groupOf(jobs: readonly QueuedJob[], processes: number) {
  const queue = createFairQueue<QueuedJob>();
  for (const job of jobs) queue.add(job);
  const group = takeGroup(queue, queue.take()!, processes);
  return { group, seconds: group.jobs.map(({ pcm }) => pcm.length / 16_000), queue };
}

test('a lone chunk goes alone', (t) => {
  const { group } = groupOf([queued(2)], 2);
  t.is(group.jobs.length, 1);
  t.is(group.cost, 2);
});

test('a process takes its share of the queue, in order', (t) => {
  const { group, seconds, queue } = groupOf(
    [1, 2, 3, 4, 5].map((s) => queued(s)),
    2,
  );
  t.deepEqual(seconds, [1, 2, 3]);
  t.is(group.cost, 6);
  t.is(queue.size, 2);
  t.is(
    groupOf(
      [1, 2, 3, 4, 5].map((s) => queued(s)),
      1,
    ).seconds.length,
    5,
  );
});

test('at most 16 chunks and 160 s go together', (t) => {
  t.is(
    groupOf(
      Array.from({ length: 50 }, () => queued(2)),
      1,
    ).seconds.length,
    16,
  );
  t.is(
    groupOf(
      Array.from({ length: 50 }, () => queued(30)),
      1,
    ).seconds.length,
    5,
  );
});

test('other organizations, other work and chunks that failed in a group are left out', (t) => {
  const mixed = [queued(1), queued(2, { organizationId: 'b' }), queued(3, { priority: 3 })];
  t.deepEqual(groupOf([...mixed, queued(4)], 1).seconds, [1, 4]);
  const request = { ...words, text: true };
  const text: Job = { kind: 'analyze', chunks: [{ samples: 16_000, request }] };
  for (const other of [{ job: text }, { job: { kind: 'countSpeakers' } as const }]) {
    t.deepEqual(groupOf([queued(1), queued(2, other), queued(3)], 1).seconds, [1]);
    t.deepEqual(groupOf([queued(1, other), queued(2)], 1).seconds, [1]);
  }
  t.deepEqual(groupOf([queued(1, { runsAlone: true }), queued(2)], 1).seconds, [1]);
  t.deepEqual(groupOf([queued(1), queued(2, { runsAlone: true })], 1).seconds, [1]);
});
