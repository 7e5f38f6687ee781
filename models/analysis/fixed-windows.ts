// Clips scored in windows of one length that do not overlap; pure.
import { sampleRate } from '../audio/sample-rate.ts';
import type { WindowRule } from '../contract/catalog-row.ts';
import { holdsSpeech, type SpeechRegion } from '../vad/speech-regions.ts';
import type { RecordingPlan } from './plan.ts';

export interface WindowedAudio {
  readonly windows: WindowRule;
  /** Length at 16 kHz. */
  readonly samples: number;
  readonly sourceSamples: number;
  readonly sourceRate: number;
  /** Windows without speech are not scored; null scores all of them. */
  readonly regions: readonly SpeechRegion[] | null;
}

/** Number of windows, from the source's own samples. */
function countWindows({
  windows: { seconds, minSeconds },
  sourceSamples,
  sourceRate,
}: Omit<WindowedAudio, 'samples' | 'regions'>): number {
  const beyond = Math.round(minSeconds * sourceRate);
  return Math.max(1, Math.ceil((sourceSamples - beyond) / (seconds * sourceRate)));
}

/** One segment per window, and one chunk per window that is scored; the last may be shorter. */
export function planFixedWindows(audio: WindowedAudio): RecordingPlan {
  const { samples, regions } = audio;
  const windowSamples = audio.windows.seconds * sampleRate;
  const count = countWindows(audio);
  const bounds = Array.from({ length: count }, (_, index) => ({
    index,
    startSample: Math.min(samples, index * windowSamples),
    endSample: index === count - 1 ? samples : Math.min(samples, (index + 1) * windowSamples),
  }));
  const segments = bounds.map(({ startSample, endSample }) => ({
    start: startSample / sampleRate,
    end: endSample / sampleRate,
    speaker: null,
  }));
  const scored = bounds.filter(({ index }) => !regions || holdsSpeech(regions, segments[index]!));
  return {
    chunks: scored.map((window, index) => {
      const end = (window.endSample - window.startSample) / sampleRate;
      return { ...window, index, spans: [{ segment: window.index, start: 0, end }] };
    }),
    segments,
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
