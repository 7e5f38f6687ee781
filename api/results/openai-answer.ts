// A SpeechResult in the formats of OpenAI's transcription API; pure.
import { deflateRawSync } from 'node:zlib';
import { toSrt, toVtt } from '../../models/exports/subtitles.ts';
import { rounded } from './result-fields.ts';
import type { SpeechResult } from './schemas.ts';
import type {
  OpenAiDiarized,
  OpenAiEvent,
  OpenAiTranscription,
  OpenAiVerbose,
} from './openai-schemas.ts';

export const openAiFormats = [
  'json',
  'text',
  'srt',
  'verbose_json',
  'vtt',
  'diarized_json',
] as const;
export type OpenAiFormat = (typeof openAiFormats)[number];

export const granularities = ['word', 'segment'] as const;
export type Granularity = (typeof granularities)[number];

/** How a transcription is answered. */
export interface OpenAiAnswer {
  readonly format: OpenAiFormat;
  /** Which times `verbose_json` contains. */
  readonly granularities: readonly Granularity[];
  /** Whether the answer is sent as server-sent events. */
  readonly stream: boolean;
}

type Segment = SpeechResult['segments'][number];

/** The media type of an answer. */
export function openAiMediaType({ format, stream }: OpenAiAnswer): string {
  if (stream) return 'text/event-stream; charset=utf-8';
  return format.endsWith('json') ? 'application/json' : 'text/plain; charset=utf-8';
}

/** The body of an answer. */
export function writeOpenAiAnswer(result: SpeechResult, answer: OpenAiAnswer): string {
  if (answer.stream) {
    return toEvents(result, answer.format === 'diarized_json')
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
  }
  switch (answer.format) {
    case 'json':
      return JSON.stringify(toTranscription(result));
    case 'text':
      return `${result.text ?? ''}\n`;
    case 'srt':
      return toSrt(result);
    case 'vtt':
      return toVtt(result);
    case 'verbose_json':
      return JSON.stringify(toVerbose(result, answer.granularities));
    case 'diarized_json':
      return JSON.stringify(toDiarized(result));
  }
}

const usageOf = ({ usage }: SpeechResult) =>
  ({ type: 'duration', seconds: usage.billable_seconds }) as const;

function toTranscription(result: SpeechResult): OpenAiTranscription {
  return { text: result.text ?? '', usage: usageOf(result) };
}

function toVerbose(result: SpeechResult, wanted: readonly Granularity[]): OpenAiVerbose {
  const { duration, language, segments, text } = result;
  const words = segments.flatMap((segment) =>
    segment.words.map(({ word, start, end }) => ({ word, start, end })),
  );
  return {
    task: 'transcribe',
    language: languageName(language),
    duration,
    text: text ?? '',
    ...(wanted.includes('segment') && { segments: segments.map(toVerboseSegment) }),
    ...(wanted.includes('word') && { words }),
    usage: usageOf(result),
  };
}

const framesPerSecond = 100;

function toVerboseSegment({ id, start, end, text, words }: Segment) {
  const logarithms = words.flatMap(({ confidence }) =>
    confidence === null ? [] : [Math.log(Math.max(confidence, 1e-6))],
  );
  const mean = logarithms.reduce((sum, each) => sum + each, 0) / Math.max(1, logarithms.length);
  return {
    id,
    seek: Math.floor(start * framesPerSecond),
    start,
    end,
    text: text ?? '',
    tokens: [],
    temperature: 0 as const,
    avg_logprob: Math.min(0, rounded(mean, 6)),
    compression_ratio: compressionRatio(text ?? ''),
    no_speech_prob: 0 as const,
  };
}

/** Whisper's measure of repetition; its clients treat a text above 2.4 as a decoding loop. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return rounded(bytes.length / deflateRawSync(bytes).length, 6);
}

function toDiarized(result: SpeechResult): OpenAiDiarized {
  const { duration, segments, text } = result;
  return {
    task: 'transcribe',
    duration,
    text: text ?? '',
    segments: segments.map(toTurn),
    usage: usageOf(result),
  };
}

const turnId = (id: number): string => `seg_${String(id + 1).padStart(3, '0')}`;

function toTurn({ id, start, end, text, speaker }: Segment): OpenAiDiarized['segments'][number] {
  return {
    type: 'transcript.text.segment',
    id: turnId(id),
    start,
    end,
    text: text ?? '',
    speaker: speaker ?? 'unknown',
  };
}

/** Deltas add up to the text of the last event; diarized, each turn follows its delta. */
function toEvents(result: SpeechResult, diarized: boolean): OpenAiEvent[] {
  const spoken = result.segments.filter(({ text }) => text !== null && text !== '');
  const events = spoken.flatMap((segment, i): OpenAiEvent[] => {
    const delta = `${i === 0 ? '' : ' '}${segment.text}`;
    const event = { type: 'transcript.text.delta', delta } as const;
    return diarized ? [{ ...event, segment_id: turnId(segment.id) }, toTurn(segment)] : [event];
  });
  const text = spoken.map((segment) => segment.text).join(' ');
  return [...events, { type: 'transcript.text.done', text, usage: usageOf(result) }];
}

const names = new Intl.DisplayNames('en', { type: 'language' });

/** OpenAI names languages in English: `german` for `de`. */
function languageName(language: string | null): string {
  return (names.of(language ?? 'en') ?? 'english').toLowerCase();
}
