// Plans clips that are scored in windows of a fixed length without overlap; pure.
import { sampleRate } from '../../audio/sample-rate.ts';
import type { WindowRule } from '../../contract/catalog-row.ts';
import { minSpeechSeconds } from '../../vad/speech-regions.ts';
import { defaultChunkOptions, silenceAround, type Chunk } from './chunk-plan.ts';
import type { PlannedSpan, RecordingPlan } from './plan.ts';
import type { SpeechSegment } from './speech-segments.ts';

export interface WindowedAudio {
  readonly windows: WindowRule;
  /** Length at 16 kHz. */
  readonly samples: number;
  readonly sourceSamples: number;
  readonly sourceRate: number;
  /**
   * A window without any is not scored. A model that abstains on silence scores affect, which is
   * computed from speech alone; others score whole windows. null scores every window.
   */
  readonly speechSegments: readonly SpeechSegment[] | null;
  /** Voice activity is unsure of the segments. */
  readonly isFaint?: boolean;
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

/** One segment per window, and one chunk per window that is scored; the last may be shorter. */
export function planFixedWindows(audio: WindowedAudio): RecordingPlan {
  const { samples, windows: rule } = audio;
  const windowSamples = rule.seconds * sampleRate;
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
  const windows = bounds.map((window) => {
    const last = window.index === count - 1;
    const limit = last ? Math.max(samples, window.startSample + windowSamples) : window.endSample;
    const { start, end } = segments[window.index]!;
    const spans = speechIn({ start, end }, { index: window.index, limit }, audio);
    if (rule.abstainsOnSilence) return { ...upToSpeech(window, { spans, limit }), spans };
    const whole = { segment: window.index, start: 0, end: end - start };
    return {
      ...{ ...window, spans: spans.length > 0 ? [whole] : [] },
      ...(audio.isFaint && { faintSpeech: spans }),
    };
  });
  return {
    chunks: windows
      .filter(({ spans }) => spans.length > 0)
      .map((window, index) => ({ ...window, index, ...(audio.isFaint && { isFaint: true }) })),
    segments,
    speakers: null,
    speechSeconds: 0,
  };
}

/**
 * Affect is read from speech and half a second behind it, where the recording ends before from
 * silence.
 * @param limit where the window would end if the recording went on
 */
function upToSpeech(
  window: Chunk,
  { spans, limit }: { readonly spans: readonly PlannedSpan[]; readonly limit: number },
): Chunk {
  const speechEnd = window.startSample + Math.round((spans.at(-1)?.end ?? 0) * sampleRate);
  const padding = Math.round(defaultChunkOptions.paddingSeconds * sampleRate);
  const padded = Math.min(limit, speechEnd + padding);
  const endSample = Math.min(window.endSample, padded);
  return {
    ...{ ...window, endSample },
    ...silenceAround({ ...window, endSample: padded }, window.endSample),
  };
}

/** The speech of a window, in seconds from its start. */
function speechIn(
  window: SpeechSegment,
  { index: segment, limit }: { readonly index: number; readonly limit: number },
  { speechSegments, windows }: WindowedAudio,
): readonly PlannedSpan[] {
  const last = windows.abstainsOnSilence ? limit / sampleRate : window.end;
  return (speechSegments ?? [window]).flatMap((speech) => {
    const start = Math.max(speech.start, window.start) - window.start;
    const end = Math.min(speech.end, last) - window.start;
    // Shorter speech is the edge of a segment in the neighbouring window.
    const minSeconds = Math.min(minSpeechSeconds, (window.end - window.start) / 2);
    return end - start >= minSeconds ? [{ segment, start, end }] : [];
  });
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
