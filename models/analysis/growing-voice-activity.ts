// Voice activity of a recording that grows: one look at a time, each over what is new.
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { hopSamples } from '../vad/hops.ts';
import { warmUpHops } from './voice-activity.ts';
import type { SampleBuffer } from './sample-buffer.ts';

export interface GrowingVoiceActivity {
  /** Speech probability of each hop that was looked at. */
  probabilities(): Float32Array;
  /**
   * Looks when enough has come and no look is under way.
   * @param onDetected told the end of what was looked at, in samples
   */
  detectNew(onDetected: (samples: number) => void): void;
  /** Looks at everything, the last part of a hop included. */
  detectAll(): Promise<void>;
}

/** New samples that are worth a look: two thirds of a second. */
const segmentHops = 21;

export function createGrowingVoiceActivity(
  pool: InferencePool,
  buffer: SampleBuffer,
  job: JobOptions,
): GrowingVoiceActivity {
  const detected: number[] = [];
  let detecting: Promise<void> | null = null;

  const detect = async (hops: number): Promise<void> => {
    const from = Math.max(0, detected.length - warmUpHops);
    const pcm = buffer.slice(from * hopSamples, hops * hopSamples);
    const all = await pool.voiceActivity(pcm, job);
    detected.push(...all.subarray(detected.length - from));
  };

  const detectNew = (onDetected: (samples: number) => void): void => {
    if (detecting || job.signal?.aborted) return;
    const hops = Math.floor(buffer.length / hopSamples);
    if (hops - detected.length < segmentHops) return;
    detecting = detect(hops).then(
      () => {
        detecting = null;
        onDetected(detected.length * hopSamples);
        detectNew(onDetected);
      },
      // The next samples try again, and `detectAll` reports.
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
  };
}
