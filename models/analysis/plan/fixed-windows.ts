// Plans clips that are scored in windows of a fixed length without overlap; pure.
import { sampleRate } from '../../audio/sample-rate.ts';
import type { WindowRule } from '../../contract/catalog-row.ts';
import type { RecordingPlan } from './plan.ts';
import { speechStretches } from './speech-stretches.ts';
import type { SpeechSegment } from './speech-segments.ts';
import { windowsOfSpeech } from './windows-of-speech.ts';

export interface WindowedAudio {
  readonly windows: WindowRule;
  /** Length at 16 kHz. */
  readonly samples: number;
  readonly sourceSamples: number;
  readonly sourceRate: number;
  /** A window without any is not scored; null scores every window. */
  readonly speechSegments: readonly SpeechSegment[] | null;
  /** Voice activity is unsure of the segments. */
  readonly isFaint?: boolean;
  /** Where the sound begins behind digital silence; absent: with the recording. */
  readonly firstSample?: number;
}

/** Number of windows, computed from the source's own samples. */
function countWindows({
  windows: { seconds, minSeconds },
  sourceSamples,
  sourceRate,
}: Pick<WindowedAudio, 'windows' | 'sourceSamples' | 'sourceRate'>): number {
  const beyond = Math.round(minSeconds * sourceRate);
  return Math.max(1, Math.ceil((sourceSamples - beyond) / (seconds * sourceRate)));
}

/**
 * One segment per window; the last may be shorter. Chunks follow the speech, so that silence around
 * it changes no score: of a model that abstains on silence they are windows that begin with it, and
 * only how many there are is told; of another, stretches of speech, and a window has the scores of
 * those that lie in it.
 */
export function planFixedWindows(audio: WindowedAudio): RecordingPlan {
  const { samples, windows: rule, isFaint, firstSample = 0 } = audio;
  const windowSamples = rule.seconds * sampleRate;
  const count = countWindows(audio);
  const segments = Array.from({ length: count }, (_, index) => {
    const end = index === count - 1 ? samples : Math.min(samples, (index + 1) * windowSamples);
    const start = Math.min(samples, index * windowSamples);
    return { start: start / sampleRate, end: end / sampleRate, speaker: null };
  });
  const speech = audio.speechSegments ?? [{ start: 0, end: samples / sampleRate }];
  const plan = rule.abstainsOnSilence ? windowsOfSpeech : speechStretches;
  const { seconds } = rule;
  const chunks = plan(speech, { segments, samples, seconds, isFaint, firstSample });
  return {
    chunks: chunks.map((chunk, index) => ({ ...chunk, index, ...(isFaint && { isFaint: true }) })),
    segments,
    speakers: null,
    speechSeconds: 0,
  };
}

/**
 * contract.md: digital silence means that all decoded samples are within one step of a constant.
 */
export function isDigitalSilence(pcm: Int16Array): boolean {
  let min = Infinity;
  let max = -Infinity;
  for (const sample of pcm) {
    if (sample < min) min = sample;
    if (sample > max) max = sample;
  }
  return max - min <= 2;
}
