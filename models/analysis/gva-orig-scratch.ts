// Voice activity of a growing recording, detected incrementally by one job at a time.
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { hopSamples } from '../vad/hops.ts';
import { warmUpHops } from './voice-activity.ts';
import type { SampleBuffer } from './sample-buffer.ts';

export interface GrowingVoiceActivity {
  /** Speech probability of each hop detected so far. */
  probabilities(): Float32Array;
  /**
   * Starts a job when enough new samples have arrived and none is in progress.
   * @param onDetected called with the number of samples detected so far
   */
  detectNew(onDetected: (samples: number) => void): void;
  /** Detects everything up to the end, an incomplete last hop included. */
  detectAll(): Promise<void>;
  /**
   * Probabilities of all complete hops, without keeping those that are not detected yet: what is
   * kept depends on the samples alone, and not on who looks at them.
   */
  peek(job: JobOptions): Promise<Float32Array>;
}

/** New hops that are worth a job: two thirds of a second. */
const minNewHops = 21;

export function createGrowingVoiceActivity(
  pool: InferencePool,
  buffer: SampleBuffer,
  job: JobOptions,
): GrowingVoiceActivity {
  const detected: number[] = [];
  let detecting: Promise<void> | null = null;

  /** Probabilities of the hops that follow the detected ones. */
  const detectUpTo = async (hops: number, options: JobOptions): Promise<Float32Array> => {
    const known = detected.length;
    const from = Math.max(0, known - warmUpHops);
    const pcm = buffer.slice(from * hopSamples, hops * hopSamples);
    return (await pool.voiceActivity(pcm, { ...options, heard: null })).subarray(known - from);
  };
  const detect = async (hops: number): Promise<void> => {
    detected.push(...(await detectUpTo(hops, job)));
  };

  const detectNew = (onDetected: (samples: number) => void): void => {
    if (detecting || job.signal?.aborted) return;
    const hops = Math.floor(buffer.length / hopSamples);
    if (hops - detected.length < minNewHops) return;
    detecting = detect(hops).then(
      () => {
        detecting = null;
        onDetected(detected.length * hopSamples);
        detectNew(onDetected);
      },
      // The next samples start another attempt, and `detectAll` reports an error.
      () => {
        detecting = null;
      },
    );
  };

  return {
    probabilities: () => Float32Array.from(detected),
    detectNew,
    async detectAll() {
      while (detecting) await detecting;
      const hops = Math.ceil(buffer.length / hopSamples);
      if (detected.length < hops) await detect(hops);
    },
    async peek(options) {
      const known = Float32Array.from(detected);
      const hops = Math.floor(buffer.length / hopSamples);
      if (hops <= known.length) return known;
      return Float32Array.from([...known, ...(await detectUpTo(hops, options))]);
    },
  };
}
