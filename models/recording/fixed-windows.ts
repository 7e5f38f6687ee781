// Clips scored in windows of one length that do not overlap; pure.
import type { RecordingPlan } from './plan.ts';

const sampleRate = 16_000;

/** Window length of the models that score so, in seconds (interface.md, contract.md). */
export const windowSecondsOf: Readonly<Record<string, number>> = {
  'svc-resonance-2': 20,
  // At most ten segments in 60 s.
  svczero: 6,
};

export interface WindowedAudio {
  readonly windowSeconds: number;
  /** Length at 16 kHz. */
  readonly samples: number;
  readonly sourceSamples: number;
  readonly sourceRate: number;
}

/** Number of windows, from the source's own samples: one sample more than a window makes two. */
function countWindows({
  windowSeconds,
  sourceSamples,
  sourceRate,
}: Omit<WindowedAudio, 'samples'>): number {
  return Math.max(1, Math.ceil(sourceSamples / (windowSeconds * sourceRate)));
}

/** One chunk and one segment per window; the last may be shorter. */
export function planFixedWindows(audio: WindowedAudio): RecordingPlan {
  const { samples } = audio;
  const windowSamples = audio.windowSeconds * sampleRate;
  const count = countWindows(audio);
  const bounds = Array.from({ length: count }, (_, index) => ({
    index,
    startSample: Math.min(samples, index * windowSamples),
    endSample: index === count - 1 ? samples : Math.min(samples, (index + 1) * windowSamples),
  }));
  return {
    chunks: bounds.map((chunk) => {
      const end = (chunk.endSample - chunk.startSample) / sampleRate;
      return { ...chunk, speech: false, spans: [{ segment: chunk.index, start: 0, end }] };
    }),
    segments: bounds.map(({ startSample, endSample }) => ({
      start: startSample / sampleRate,
      end: endSample / sampleRate,
      speaker: null,
    })),
    speakers: null,
    speechSeconds: 0,
  };
}

/** contract.md: every decoded sample within one step of a constant. */
export function isDigitalSilence(pcm: Int16Array): boolean {
  let least = Infinity;
  let most = -Infinity;
  for (const sample of pcm) {
    if (sample < least) least = sample;
    if (sample > most) most = sample;
  }
  return most - least <= 2;
}
