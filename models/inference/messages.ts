// The messages between the pool and an inference process.
import type { JobClaim } from '../fairness/core-scheduler.ts';
import type { HeardLevel } from '../vad/steady-level.ts';
import type { ChunkRequest, KnownWords } from './jobs.ts';

/** One of the chunks whose samples follow each other in the job. */
export interface ChunkOfJob {
  readonly samples: number;
  readonly request: ChunkRequest;
}

/** A job without its samples. */
export type Job =
  | { readonly kind: 'voiceActivity'; readonly heard: HeardLevel | null }
  | { readonly kind: 'analyze'; readonly chunks: readonly ChunkOfJob[] }
  | ({ readonly kind: 'pronounce' } & KnownWords)
  | { readonly kind: 'countSpeakers' }
  | { readonly kind: 'embedSpeakers'; readonly startSamples: readonly number[] };

/** Its samples are attached. */
export interface JobMessage {
  readonly id: number;
  readonly job: Job;
  readonly claim: JobClaim;
  /** No other job wants the next core. */
  readonly spareCore: boolean;
}

export interface JobTimes {
  /** Time in which the job had the process's core. */
  readonly runMs: number;
  /** The longest time that another job waited for the core. */
  readonly blockingMs: number;
}

export type ChildMessage =
  | { readonly kind: 'ready' }
  /** The job has the core from now on. */
  | { readonly kind: 'turn'; readonly id: number }
  | ({ readonly kind: 'done'; readonly id: number; readonly value: unknown } & JobTimes)
  | ({ readonly kind: 'failed'; readonly id: number; readonly message: string } & JobTimes);
