// A stored result as the SpeechResult of interface.md.
import { requestHash } from '../../db/object-keys.ts';
import type { TranscriptSegment } from '../../models/asr/transcript.ts';
import type { FinishedRun, RecordingRequest } from '../runs/runs.ts';
import type { SpeechResult } from './schemas.ts';
import { toUsage } from './usage.ts';

/** Maps a finished transcription; times have three decimals. */
export function toSpeechResult(
  { requestId, task, model }: Pick<RecordingRequest, 'requestId' | 'task' | 'model'>,
  { attempt, result }: FinishedRun,
): SpeechResult {
  const duration = milli(result.sourceSamples / result.sourceRate);
  const { billableSeconds, text, language, segments } = result;
  return {
    // New for each attempt: two answers are never taken for the same result.
    id: `res_${requestHash(`${requestId} ${attempt}`)}`,
    object: 'speech.result',
    task,
    model,
    text,
    tagged_text: null,
    language,
    duration,
    emotions: [],
    styles: [],
    segments: segments.map((segment, id) => toSegment(segment, id, duration)),
    diarized: false,
    speakers: [],
    usage: toUsage({ model, task, audioSeconds: duration, billableSeconds }),
  };
}

function toSegment(
  { start, end, text, words }: TranscriptSegment,
  id: number,
  duration: number,
): SpeechResult['segments'][number] {
  // A resampled recording may end a fraction of a sample after its source.
  const time = (value: number): number => Math.min(duration, milli(value));
  return {
    id,
    start: time(start),
    end: time(end),
    text,
    tagged_text: null,
    words: words.map((word) => ({
      word: word.word,
      start: time(word.start),
      end: time(word.end),
      confidence: word.confidence === null ? null : milli(word.confidence),
    })),
    emotions: [],
    styles: [],
    speaker: null,
  };
}

function milli(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
