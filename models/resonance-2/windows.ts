// Resonance-2's windows: 20 s each, not overlapping, and the silence on which it abstains; pure.
import type { RecordingPlan } from '../recording/plan.ts';

const windowSeconds = 20;
const sampleRate = 16_000;
const windowSamples = windowSeconds * sampleRate;

export interface WindowedAudio {
  /** 16 kHz mono. */
  readonly pcm: Int16Array;
  readonly sourceSamples: number;
  readonly sourceRate: number;
}

/** One chunk and segment per window; nothing for digital silence. */
export function planWindowsOf20Seconds({
  pcm,
  sourceSamples,
  sourceRate,
}: WindowedAudio): RecordingPlan {
  if (isDigitalSilence(pcm)) return { chunks: [], segments: [], speakers: null };
  const count = Math.max(1, Math.ceil(sourceSamples / (windowSeconds * sourceRate)));
  const bounds = Array.from({ length: count }, (_, index) => ({
    index,
    startSample: Math.min(pcm.length, index * windowSamples),
    endSample: index === count - 1 ? pcm.length : Math.min(pcm.length, (index + 1) * windowSamples),
  }));
  return {
    chunks: bounds.map((chunk) => ({
      ...chunk,
      words: false,
      spans: [
        {
          segment: chunk.index,
          start: 0,
          end: (chunk.endSample - chunk.startSample) / sampleRate,
        },
      ],
    })),
    segments: bounds.map(({ startSample, endSample }) => ({
      start: startSample / sampleRate,
      end: endSample / sampleRate,
      speaker: null,
    })),
    speakers: null,
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
