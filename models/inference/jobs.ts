// What may be asked of an inference process, and what comes back. Plain data: it crosses a process
// boundary.
import type { Word } from '../asr/transcript.ts';

/** Lower runs first. Synchronous callers 1, bulk 3 and 5 (architecture.md, law 7). */
export type Priority = 1 | 3 | 5;

export interface JobOptions {
  readonly priority: Priority;
  readonly signal?: AbortSignal;
}

/** Recognition of one chunk; word times in seconds from the start of the chunk. */
export interface ChunkRecognition {
  readonly words: readonly Word[];
  /** Wall time inside the inference process, for metrics and benches. */
  readonly inferenceMs: number;
}

/**
 * Inference in child processes, one intra-op thread each; `models/inference/pool.ts` implements it.
 */
export interface InferencePool {
  /** Number of inference processes. */
  readonly size: number;
  /** Resolves when every process has its models loaded. */
  ready(): Promise<void>;
  /**
   * Speech probability for each hop of 512 samples (the last hop is zero-padded).
   * @param pcm 16 kHz mono PCM16, any length; at most 120 s
   */
  voiceActivity(pcm: Int16Array, options: JobOptions): Promise<Float32Array>;
  /** Words of one chunk. @param pcm 16 kHz mono PCM16, at most 30 s */
  transcribe(pcm: Int16Array, options: JobOptions): Promise<ChunkRecognition>;
  /** Kills the processes; pending jobs reject. */
  close(): Promise<void>;
}
