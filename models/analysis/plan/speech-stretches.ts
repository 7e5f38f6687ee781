// Stretches of speech between pauses, each scored as one; pure.
import { sampleRate } from '../../audio/sample-rate.ts';
import { minSpeechSeconds } from '../../vad/speech-regions.ts';
import { defaultChunkOptions, silenceAround } from './chunk-plan.ts';
import type { PlannedChunk, PlannedSegment, PlannedSpan } from './plan.ts';
import type { SpeechSegment } from './speech-segments.ts';

export interface WindowGrid {
  /** The windows, without overlap or gaps. */
  readonly segments: readonly PlannedSegment[];
  /** Length of the recording at 16 kHz. */
  readonly samples: number;
  /** Length of a window. */
  readonly seconds: number;
  /** Voice activity is unsure of the speech. */
  readonly isFaint: boolean | undefined;
  /** Before it there is digital silence. */
  readonly firstSample: number;
}

/** A longer pause is not scored ... */
const maxPauseSeconds = 1;
/**
 * ... but this much of what is around a stretch: the head was trained on it as well. Around a word
 * it is a quarter of its length, of which more would weigh as much as the word.
 */
const edgeSeconds = 0.35;
const edgeShare = 0.25;
/** The shortest that it was trained on: less of a long stretch is not cut off. */
const minRestSeconds = 1.2;

/**
 * A chunk for each stretch, or for each window's length of it. It begins and ends in the half
 * second around, in silence where the recording does. Its spans are what the windows have of it.
 * @param speech in order
 */
export function speechStretches(
  speech: readonly SpeechSegment[],
  grid: WindowGrid,
): readonly PlannedChunk[] {
  const stretches = joined(speech).flatMap((stretch) => cut(stretch, grid.seconds));
  return stretches.map((stretch, index) => {
    const padded = {
      startSample: Math.round((stretch.start - defaultChunkOptions.paddingSeconds) * sampleRate),
      endSample: Math.round((stretch.end + defaultChunkOptions.paddingSeconds) * sampleRate),
    };
    const startSample = Math.max(0, padded.startSample);
    const onChunk = <Span extends SpeechSegment>(span: Span): Span => ({
      ...span,
      start: span.start - startSample / sampleRate,
      end: span.end - startSample / sampleRate,
    });
    const { start, end } = stretch;
    const edge = Math.min(edgeSeconds, edgeShare * (end - start));
    return {
      ...{ index, startSample, endSample: Math.min(grid.samples, padded.endSample) },
      ...silenceAround(padded, grid.samples),
      spans: spansOf(stretch, grid).map(onChunk),
      stretch: onChunk({ start: start - edge, end: end + edge }),
      ...(grid.isFaint && {
        faintSpeech: speech.filter((own) => overlap(own, stretch)).map(onChunk),
      }),
    };
  });
}

function joined(speech: readonly SpeechSegment[]): readonly SpeechSegment[] {
  const stretches: SpeechSegment[] = [];
  for (const { start, end } of speech) {
    const last = stretches.at(-1);
    const isNear = last && start - last.end <= maxPauseSeconds;
    if (isNear) stretches.splice(-1, 1, { start: last.start, end });
    else stretches.push({ start, end });
  }
  return stretches;
}

function cut({ start, end }: SpeechSegment, seconds: number): readonly SpeechSegment[] {
  const count = Math.max(1, Math.ceil((end - start - minRestSeconds) / seconds));
  return Array.from({ length: count }, (_, i) => ({
    start: start + i * seconds,
    end: i === count - 1 ? end : start + (i + 1) * seconds,
  }));
}

function overlap(one: SpeechSegment, other: SpeechSegment): boolean {
  return one.start < other.end && one.end > other.start;
}

/** What each window has of a stretch; speech to the end of a recording may go on behind it. */
function spansOf({ start, end }: SpeechSegment, { segments }: WindowGrid): readonly PlannedSpan[] {
  return segments.flatMap((window, segment) => {
    const from = Math.max(start, window.start);
    const to = segment === segments.length - 1 ? end : Math.min(end, window.end);
    // Less is the edge of speech in the neighbouring window.
    const least = Math.min(minSpeechSeconds, Math.min(end - start, window.end - window.start) / 2);
    return to - from >= least ? [{ segment, start: from, end: to }] : [];
  });
}
