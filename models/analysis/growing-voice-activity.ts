// Voice activity of a growing recording, detected in pieces that are the same however fast it
// arrives.
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import type { HopRun } from '../vad/active-runs.ts';
import { withSilence } from '../audio/samples.ts';
import { hopSamples, tailHops, warmUpHops } from '../vad/hops.ts';
import { withQuietTail } from '../vad/quiet-tail.ts';
import type { SampleBuffer } from './sample-buffer.ts';

export interface GrowingVoiceActivity {
  /** Speech probability of each hop detected so far. */
  probabilities(): Float32Array;
  /**
   * Detects the pieces that have arrived, unless others are in progress.
   * @param onDetected called with the number of samples detected so far
   */
  detectNew(onDetected: (samples: number) => void): void;
  /** Detects everything up to the end, an incomplete last hop and the silence behind included. */
  detectAll(): Promise<void>;
  /**
   * Probabilities of all complete hops, without keeping those that are not detected yet: what is
   * kept depends on the samples alone, and not on who looks at them.
   */
  peek(job: JobOptions): Promise<Float32Array>;
}

/**
 * Two thirds of a second. The model remembers more than its warm-up, so that where a piece begins
 * changes what is heard in it by up to 0.5, and with it where chunks are cut and what they say.
 */
const pieceHops = 21;

export function createGrowingVoiceActivity(
  pool: InferencePool,
  buffer: SampleBuffer,
  job: JobOptions,
): GrowingVoiceActivity {
  const detected: number[] = [];
  let detecting: Promise<void> | null = null;

  const detectSpan = async (
    { startHop, endHop }: HopRun,
    options: JobOptions,
  ): Promise<Float32Array> => {
    const from = (startHop - warmUpHops) * hopSamples;
    const to = endHop * hopSamples;
    const before = Math.max(0, -from);
    const after = Math.max(0, to - buffer.length);
    const pcm = withSilence(buffer.slice(from + before, to - after), { before, after });
    return (await pool.voiceActivity(pcm, { ...options, heard: null })).subarray(warmUpHops);
  };
  const detect = async (hops: number): Promise<void> => {
    const pieces: HopRun[] = [];
    for (let startHop = detected.length; startHop < hops; startHop += pieceHops) {
      pieces.push({ startHop, endHop: Math.min(hops, startHop + pieceHops) });
    }
    const heard = await Promise.all(pieces.map((piece) => detectSpan(piece, job)));
    for (const probabilities of heard) detected.push(...probabilities);
  };

  const detectNew = (onDetected: (samples: number) => void): void => {
    if (detecting || job.signal?.aborted) return;
    const hops = Math.floor(buffer.length / (pieceHops * hopSamples)) * pieceHops;
    if (hops <= detected.length) return;
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
      if (hops > 0 && detected.length < hops + tailHops) await detect(hops + tailHops);
      withQuietTail(detected, hops);
    },
    async peek(options) {
      const known = Float32Array.from(detected);
      const hops = Math.floor(buffer.length / hopSamples);
      if (hops <= known.length) return known;
      const span = { startHop: known.length, endHop: hops };
      return Float32Array.from([...known, ...(await detectSpan(span, options))]);
    },
  };
}
