// Voice activity of a session of any length: short jobs over its newest hops, one at a time.
import type { InferencePool, JobOptions } from '../../models/inference/jobs.ts';
import { hopSamples, warmUpHops } from '../../models/vad/hops.ts';
import type { SampleWindow } from './sample-window.ts';

export interface SpeechMonitor {
  /** Detects from this sample on; null stops it. Results of what came before are dropped. */
  restart(fromSample: number | null): void;
  /** Called when samples have been added to the window. */
  advance(): void;
}

/** New hops that are worth a job: a tenth of a second, within which a turn is noticed. */
const minNewHops = 3;
/** A job reads at most so much, so that one that has fallen behind catches up in steps. */
const maxNewHops = 1_875;
/** After a job that was lost with its process. */
const retryMs = 500;

export function createSpeechMonitor(
  pool: Pick<InferencePool, 'voiceActivity'>,
  window: SampleWindow,
  { onDetected, ...job }: JobOptions & { onDetected: (probabilities: Float32Array) => void },
): SpeechMonitor {
  /** A new object for each restart, by which late results are known. */
  let current: { readonly start: number; hops: number } | null = null;
  let detecting = false;

  const detect = async (run: { readonly start: number; hops: number }): Promise<void> => {
    const from = run.start + run.hops * hopSamples;
    const hops = Math.min(maxNewHops, Math.floor((window.end - from) / hopSamples));
    const warmUp = Math.min(warmUpHops, run.hops);
    const pcm = window.slice(from - warmUp * hopSamples, from + hops * hopSamples);
    const probabilities = (await pool.voiceActivity(pcm, { ...job, heard: null })).subarray(warmUp);
    if (run !== current) return;
    run.hops += hops;
    onDetected(probabilities);
  };

  const advance = (): void => {
    if (!current || detecting || job.signal?.aborted) return;
    const arrived = window.end - current.start - current.hops * hopSamples;
    if (arrived < minNewHops * hopSamples) return;
    detecting = true;
    detect(current).then(
      () => {
        detecting = false;
        advance();
      },
      // A client that waits for detection sends no samples that would start another attempt.
      () => {
        setTimeout(() => {
          detecting = false;
          advance();
        }, retryMs).unref();
      },
    );
  };

  return {
    restart(fromSample) {
      current = fromSample === null ? null : { start: fromSample, hops: 0 };
      advance();
    },
    advance,
  };
}
