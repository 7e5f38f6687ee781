// The metrics of a worker: audio, inference and waiting time.
import { Counter, Histogram, type Registry } from 'prom-client';
import { errorRules, isFaultOfCaller } from '../models/contract/errors.ts';
import { commonModels, models } from '../models/contract/served-models.ts';
import { taskSteps } from '../models/contract/tasks.ts';
import type { JobReport } from '../models/inference/jobs.ts';

export interface WorkerMetrics {
  /** A job of the inference pool has ended. */
  readonly job: (report: JobReport) => void;
  /** A recording was completed. */
  readonly completed: (recording: CompletedRecording) => void;
  /** A request has ended as failed, or several of a batch at once. */
  readonly failed: (requests: FailedRequests) => void;
  /** A message to a receiver was sent, or could not be. */
  readonly webhook: (attempt: WebhookAttempt) => void;
}

const webhookOutcomes = ['delivered', 'failed', 'gone', 'unsent', 'waited'] as const;

export interface FailedRequests {
  readonly code: string;
  readonly bulk: boolean;
  /** Default 1. */
  readonly count?: number;
}

export interface WebhookAttempt {
  /**
   * `failed`: the receiver did not accept it, and is asked again; `gone`: the receiver or the batch
   * is no more. Nothing was sent yet: `waited`, as no slot was free or the batch had not ended, and
   * `unsent`, by a fault of this service.
   */
  readonly outcome: (typeof webhookOutcomes)[number];
  /** Since the batch ended. */
  readonly lagSeconds: number;
}

export interface CompletedRecording {
  readonly task: string;
  readonly model: string;
  readonly bulk: boolean;
  readonly audioSeconds: number;
  /** Time in inference processes, summed over the chunks. */
  readonly inferenceSeconds: number;
}

const lane = (bulk: boolean): string => (bulk ? 'bulk' : 'callers');

export function createWorkerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  const { audio, recordings, failures } = createCounters(registry);
  const inference = new Histogram({
    name: 'svc_inference_seconds',
    help: 'Duration of inference jobs',
    labelNames: ['kind', 'lane'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const wait = new Histogram({
    name: 'svc_queue_wait_seconds',
    help: 'Time that inference jobs have waited for a process',
    labelNames: ['lane'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const held = new Histogram({
    name: 'svc_turn_held_seconds',
    help: 'Longest that another job has waited for its turn beside an inference job',
    labelNames: ['kind', 'lane'],
    buckets: [0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1],
    registers,
  });
  const factor = new Histogram({
    name: 'svc_real_time_factor',
    help: 'Inference time of a recording by its duration',
    labelNames: ['task', 'model'],
    buckets: [0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1],
    registers,
  });
  return {
    webhook: createWebhookMetrics(registry),
    job: ({ kind, priority, waitMs, runMs, blockingMs }) => {
      const own = lane(priority !== 1);
      inference.observe({ kind, lane: own }, runMs / 1_000);
      wait.observe({ lane: own }, waitMs / 1_000);
      if (blockingMs > 0) held.observe({ kind, lane: own }, blockingMs / 1_000);
    },
    failed: ({ code, bulk, count = 1 }) => {
      const fault = isFaultOfCaller(code) ? 'caller' : 'service';
      failures.inc({ code, fault, lane: lane(bulk) }, count);
    },
    completed: ({ task, model, bulk, audioSeconds, inferenceSeconds }) => {
      const labels = { task, model, lane: lane(bulk) };
      audio.inc(labels, audioSeconds);
      recordings.inc(labels);
      if (audioSeconds > 0) factor.observe({ task, model }, inferenceSeconds / audioSeconds);
    },
  };
}

/** They begin at 0: `rate` and `increase` count from the first value that was scraped. */
function createCounters(registry: Registry) {
  const registers = [registry];
  const audio = new Counter({
    name: 'svc_audio_seconds_total',
    help: 'Seconds of audio in completed recordings and streams',
    labelNames: ['task', 'model', 'lane'],
    registers,
  });
  const recordings = new Counter({
    name: 'svc_recordings_total',
    help: 'Completed recordings and streams',
    labelNames: ['task', 'model', 'lane'],
    registers,
  });
  const failures = new Counter({
    name: 'svc_failures_total',
    help: 'Requests that ended as failed; fault: of the caller (4xx) or of the service',
    labelNames: ['code', 'fault', 'lane'],
    registers,
  });
  for (const { id, tasks } of models) {
    for (const task of tasks.filter((each) => each in taskSteps)) {
      for (const counter of [audio, recordings]) {
        counter.inc({ task, model: id, lane: lane(false) }, 0);
        if (isCommon(id)) counter.inc({ task, model: id, lane: lane(true) }, 0);
      }
    }
  }
  for (const code of Object.keys(errorRules).filter((each) => !isFaultOfCaller(each))) {
    for (const bulk of [false, true]) {
      failures.inc({ code, fault: 'service', lane: lane(bulk) }, 0);
    }
  }
  return { audio, recordings, failures };
}

/** Batches have the models of the common shape alone. */
function isCommon(model: string): boolean {
  return (commonModels as readonly string[]).includes(model);
}

function createWebhookMetrics(registry: Registry): WorkerMetrics['webhook'] {
  const registers = [registry];
  const attempts = new Counter({
    name: 'svc_webhook_attempts_total',
    help: 'Attempts to notify a receiver',
    labelNames: ['outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'svc_webhook_lag_seconds',
    help: 'From the end of a batch to its delivered webhook',
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400],
    registers,
  });
  for (const outcome of webhookOutcomes) attempts.inc({ outcome }, 0);
  return ({ outcome, lagSeconds }) => {
    attempts.inc({ outcome });
    if (outcome === 'delivered') lag.observe(lagSeconds);
  };
}
