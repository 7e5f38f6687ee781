// Chunks that go to a process as one job, because its decoder advances them together.
import { sampleRate } from '../audio/sample-rate.ts';
import type { FairQueue } from '../fairness/fair-queue.ts';
import type { JobReport } from './jobs.ts';
import type { ChunkOfJob, Job, JobTimes } from './messages.ts';
import type { PlacedJob } from './placement.ts';
import type { InferenceProcess } from './process.ts';
import type { QueuedJob } from './queued-job.ts';

/** Jobs of one organization and priority; only chunks with words are grouped. */
export interface JobGroup extends PlacedJob {
  readonly jobs: readonly QueuedJob[];
}

/** As many as the decoder takes at once; more would only wait for each other. */
const maxJobs = 16;
/** Unsure ones are read again together (docs/adr/0057), and are a few of many. */
const maxSamples = 160 * sampleRate;

/**
 * A job and the jobs that already wait behind it: nothing is delayed to fill a group. A group holds
 * at most one process's share of them, so that the other processes have work, too.
 */
export function takeGroup(
  queue: FairQueue<QueuedJob>,
  first: QueuedJob,
  processes: number,
): JobGroup {
  const jobs = [first];
  const share = Math.ceil((queue.behind(first) + 1) / processes);
  const limit = canJoin(first) ? Math.min(share, maxJobs) : 1;
  let left = maxSamples - first.pcm.length;
  while (jobs.length < limit) {
    const next = queue.takeBehind(first, (job) => canJoin(job) && job.pcm.length <= left);
    if (!next) break;
    jobs.push(next);
    left -= next.pcm.length;
  }
  const { organizationId, priority } = first;
  return { jobs, organizationId, priority, cost: jobs.reduce((sum, { cost }) => sum + cost, 0) };
}

/** Text in several languages has a decoder of its own. */
function isWords({ request }: ChunkOfJob): boolean {
  return request.words && !request.text;
}

function canJoin({ job, runsAlone }: QueuedJob): boolean {
  return !runsAlone && job.kind === 'analyze' && job.chunks.every(isWords);
}

interface GroupOptions {
  /** It may use a second core. */
  readonly spareCore: boolean;
  readonly onJob: ((report: JobReport) => void) | undefined;
  /** Charges what the group has cost beyond its expected cost. */
  readonly charge: (extraMs: number) => void;
}

/** Runs the group and resolves each of its jobs. @throws what the process throws */
export async function runGroup(
  process: InferenceProcess,
  { jobs, organizationId, priority, cost }: JobGroup,
  { spareCore, charge, onJob }: GroupOptions,
): Promise<void> {
  const startedAt = performance.now();
  const onEnd = ({ runMs, blockingMs }: JobTimes): void => {
    charge(runMs - cost);
    for (const { job, cost: own, queuedAt } of jobs) {
      const waitMs = startedAt - queuedAt;
      onJob?.({ kind: job.kind, priority, waitMs, runMs: (runMs * own) / cost, blockingMs });
    }
  };
  const job = mergeJobs(jobs);
  const value = await process.run(
    job,
    jobs.map(({ pcm }) => pcm),
    { claim: { organizationId, priority, costMs: cost }, spareCore, onEnd },
  );
  const values = job.kind === 'analyze' ? (value as readonly unknown[]) : [value];
  jobs.forEach(({ resolve }, i) => resolve(values[i]));
}

function mergeJobs(jobs: readonly QueuedJob[]): Job {
  if (jobs.length === 1) return jobs[0]!.job;
  const chunks = jobs.flatMap(({ job }) => (job.kind === 'analyze' ? job.chunks : []));
  return { kind: 'analyze', chunks };
}
