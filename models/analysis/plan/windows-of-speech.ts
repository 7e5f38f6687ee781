// Windows that begin with the first speech, of which affect is read; pure.
import { sampleRate } from '../../audio/sample-rate.ts';
import type { SampleSpan } from '../../audio/samples.ts';
import { minSpeechSeconds } from '../../vad/speech-regions.ts';
import { defaultChunkOptions, silenceAround } from './chunk-plan.ts';
import type { PlannedChunk } from './plan.ts';
import type { SpeechSegment } from './speech-segments.ts';
import type { WindowGrid } from './speech-stretches.ts';

const paddingSamples = Math.round(defaultChunkOptions.paddingSeconds * sampleRate);

/**
 * A chunk for each window with speech, from half a second before it to half a second behind it, in
 * silence where the recording ends. What is before the first of them belongs to no window, so that
 * silence moves no border between two.
 * @param speech in order
 */
export function windowsOfSpeech(
  speech: readonly SpeechSegment[],
  { segments, samples, seconds, firstSample }: WindowGrid,
): readonly PlannedChunk[] {
  const windowSamples = seconds * sampleRate;
  const least = leastSeconds({ start: firstSample / sampleRate, end: samples / sampleRate });
  const first = speech.find(({ start, end }) => end - start >= least)?.start ?? 0;
  const origin = Math.max(firstSample, Math.round(first * sampleRate) - paddingSamples);
  return segments.flatMap((_, segment) => {
    const startSample = origin + segment * windowSamples;
    const isLast = segment === segments.length - 1 || startSample + windowSamples >= samples;
    const endSample = isLast ? samples : startSample + windowSamples;
    if (endSample <= startSample) return [];
    const limit = isLast ? Math.max(samples, startSample + windowSamples) : endSample;
    const window = { start: startSample / sampleRate, end: endSample / sampleRate };
    const spoken = speechIn(window, limit / sampleRate, speech);
    return spoken.length > 0 ? [chunkOf(spoken, { segment, startSample, endSample, limit })] : [];
  });
}

interface Window extends SampleSpan {
  readonly segment: number;
  /** Where it would end if the recording went on. */
  readonly limit: number;
}

function chunkOf(
  spoken: readonly SpeechSegment[],
  { segment, limit, ...window }: Window,
): PlannedChunk {
  const firstSample = Math.round(spoken[0]!.start * sampleRate) - paddingSamples;
  const lastSample = Math.round(spoken.at(-1)!.end * sampleRate) + paddingSamples;
  const startSample = Math.max(window.startSample, firstSample);
  const padded = { startSample, endSample: Math.min(limit, lastSample) };
  const spans = spoken.map(({ start, end }) => {
    return {
      segment,
      start: start - startSample / sampleRate,
      end: end - startSample / sampleRate,
    };
  });
  return {
    ...{ index: segment, startSample, endSample: Math.min(window.endSample, padded.endSample) },
    ...silenceAround(padded, window.endSample),
    spans,
  };
}

/** Speech up to the end of a recording may go on behind it, to the limit of the window. */
function speechIn(
  window: SpeechSegment,
  limit: number,
  speech: readonly SpeechSegment[],
): readonly SpeechSegment[] {
  return speech.flatMap((own) => {
    const start = Math.max(own.start, window.start);
    const end = Math.min(own.end, limit);
    return end - start >= leastSeconds(window) ? [{ start, end }] : [];
  });
}

/** Shorter speech is the edge of a segment in the neighbouring window. */
function leastSeconds({ start, end }: SpeechSegment): number {
  return Math.min(minSpeechSeconds, (end - start) / 2);
}
