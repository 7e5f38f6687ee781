// What the pool and an inference process say to each other.
import type { ChunkRequest } from './jobs.ts';

/** A job without its samples. */
export type Job =
  | { readonly kind: 'voiceActivity' }
  | { readonly kind: 'analyze'; readonly request: ChunkRequest }
  | { readonly kind: 'pronounce'; readonly words: readonly string[] }
  | { readonly kind: 'countTalkers' }
  | { readonly kind: 'embedSpeakers'; readonly startSamples: readonly number[] };

export interface JobMessage {
  readonly id: number;
  readonly job: Job;
  readonly pcm: Int16Array;
}

export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
