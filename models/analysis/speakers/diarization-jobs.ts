// What the pool's jobs of diarization have in common.
import type { ReadSamples } from '../../audio/samples.ts';
import { ServiceError } from '../../contract/errors.ts';
import { InferenceFailed } from '../../inference/errors.ts';
import type { InferencePool, JobOptions } from '../../inference/jobs.ts';

export interface RecordingToDiarize {
  /** Length of the recording. */
  readonly samples: number;
  readonly numSpeakers: number | null;
  readonly read: ReadSamples;
  readonly job: JobOptions;
  /** Called with the share of the work that is done, 0-1. */
  readonly onProgress?: (share: number) => void;
}

/** More jobs than processes: the samples of the next are read while a process is busy. */
export function inFlight(pool: InferencePool): number {
  return 2 * pool.size;
}

/** A failed job or missing models count as a failure of the diarizer. */
export function diarizerFailed(error: unknown): never {
  if (!(error instanceof InferenceFailed)) throw error;
  const message = 'The speakers could not be diarized; the request may be sent again.';
  throw new ServiceError('diarization_upstream_failed', message, { cause: error });
}
