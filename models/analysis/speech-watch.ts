// Voice activity of a recording that grows: one look at a time, each over what is new.
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { hopSamples } from '../vad/hops.ts';
import { warmUpHops } from './voice-activity.ts';
import type { SampleBuffer } from './sample-buffer.ts';

export interface SpeechWatch {
  /** Speech probability of each hop that was looked at. */
  probabilities(): Float32Array;
  /**
   * Looks when enough has come and no look is under way.
   * @param onHeard told the end of what was looked at, in samples
   */
  lookSoon(onHeard: (samples: number) => void): void;
  /** Looks at everything, the last part of a hop included. */
  lookAtAll(): Promise<void>;
}

/** New samples that are worth a look: two thirds of a second. */
const stretchHops = 21;

export function createSpeechWatch(
  pool: InferencePool,
  buffer: SampleBuffer,
  job: JobOptions,
): SpeechWatch {
  const heard: number[] = [];
  let looking: Promise<void> | null = null;

  const look = async (hops: number): Promise<void> => {
    const from = Math.max(0, heard.length - warmUpHops);
    const pcm = buffer.slice(from * hopSamples, hops * hopSamples);
    const all = await pool.voiceActivity(pcm, job);
    heard.push(...all.subarray(heard.length - from));
  };

  const lookSoon = (onHeard: (samples: number) => void): void => {
    if (looking || job.signal?.aborted) return;
    const hops = Math.floor(buffer.length / hopSamples);
    if (hops - heard.length < stretchHops) return;
    looking = look(hops).then(
      () => {
        looking = null;
        onHeard(heard.length * hopSamples);
        lookSoon(onHeard);
      },
      // The next samples try again, and `lookAtAll` reports.
      () => {
        looking = null;
      },
    );
  };

  return {
    probabilities: () => Float32Array.from(heard),
    lookSoon,
    async lookAtAll() {
      while (looking) await looking;
      const hops = Math.ceil(buffer.length / hopSamples);
      if (heard.length < hops) await look(hops);
    },
  };
}
