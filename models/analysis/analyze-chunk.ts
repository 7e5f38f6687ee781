// Analyses a chunk in one pool job and moves its times to the recording's clock.
import { ServiceError } from '../contract/errors.ts';
import { InferenceFailed } from '../inference/errors.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';
import { chunkStart, silenceSeconds, wordOfChunk } from './plan/chunk-samples.ts';
import type { PlannedChunk } from './plan/plan.ts';
import type { SpeechSegment } from './plan/speech-segments.ts';
import type { RecordingRequest } from '../contract/recording-request.ts';
import { languageOf, stepsOf, writesTexts } from '../contract/served-models.ts';
import type { LanguagePrior } from '../asr/language-decision.ts';
import type { ChunkRequest, InferencePool, JobOptions, ScoredSpan } from '../inference/jobs.ts';
import { sampleRate } from '../audio/sample-rate.ts';

export interface ChunkJob {
  readonly request: RecordingRequest;
  readonly chunk: PlannedChunk;
  /** The chunk's samples. */
  readonly pcm: Int16Array;
  /** The prior from the rest of the recording, for a request that does not fix the language. */
  readonly prior?: LanguagePrior | undefined;
  /** Instead of the request's. */
  readonly language?: string | null;
  /** The recording is hardly in English (`probe-language.ts`). */
  readonly unlikelyEnglish?: true | undefined;
  /** Detects the language alone, and recognises no word. */
  readonly detectionOnly?: true;
  /** Set in the second pass, which other chunks have given a prior. */
  readonly isSecondPass?: boolean;
  readonly job: JobOptions;
}

/** Concurrent chunks of a recording: those that wait at the same time are decoded together. */
export const chunksInFlight = 24;

/** The language of 6 s of speech, which has half a second of padding on each side, is a guess. */
const shortSamples = 7 * sampleRate;

export async function analyzeChunk(
  pool: InferencePool,
  { request, chunk, pcm, job, language = languageOf(request), ...own }: ChunkJob,
): Promise<AnalyzedChunk> {
  const { prior, unlikelyEnglish, detectionOnly, isSecondPass } = own;
  const isShort = pcm.length <= shortSamples && chunk.index === 0 && !isSecondPass;
  const steps = stepsOf(request);
  const { before } = silenceSeconds(chunk);
  const onChunk = ({ start, end }: SpeechSegment): SpeechSegment => ({
    start: start + before,
    end: end + before,
  });
  const { vocabulary } = request.options;
  // Its head knows English best (api/synthetic-speech/response.ts warns of other languages).
  const hearsEnglish = request.task === 'synthetic_speech';
  const chunkRequest = {
    model: request.model,
    // A given transcript is aligned instead (align-transcript.ts).
    words: steps.words && request.transcriptKey === undefined,
    language: hearsEnglish ? null : language,
    ...(hearsEnglish && { englishParts: true as const }),
    ...(prior && { prior }),
    ...(unlikelyEnglish && { unlikelyEnglish }),
    ...(detectionOnly && { detectionOnly }),
    ...(vocabulary && { vocabulary }),
    // The chunks of a longer recording vote instead.
    ...((language === null || steps.text) && isShort && { compareReadings: true }),
    text: steps.text,
    head: steps.scores ? request.model : null,
    spans: (chunk.stretch ? [chunk.stretch] : chunk.spans).map(onChunk),
    ...(chunk.isFaint && { isFaint: true as const }),
    ...(chunk.faintSpeech && { faintSpeech: chunk.faintSpeech.map(onChunk) }),
  };
  const analysis = await pool
    .analyze(pcm, chunkRequest, job)
    .catch((error: unknown) => chunkFailed(error, chunkRequest));
  const { words, language: spoken, languages, english, englishParts } = analysis;
  const { written, scored, inferenceMs } = analysis;
  const offset = chunkStart(chunk);
  return {
    index: chunk.index,
    ...(chunk.channel && { channel: chunk.channel.index }),
    inferenceMs,
    words: words.map((word) => wordOfChunk(word, chunk)),
    ...{ language: spoken, languages, english },
    ...(englishParts && { englishParts }),
    written,
    scored: scoredSpans(chunk, scored).map(({ segment, start, end, readings }) => ({
      ...{ segment, start: start + offset, end: end + offset },
      // Five decimals are what a float32 holds of such values.
      readings: Array.from(readings, (reading) => Math.round(reading * 1e5) / 1e5),
    })),
  };
}

/** Seconds from the first sample; none where speech was unsure and the check has heard none. */
function scoredSpans(chunk: PlannedChunk, scored: readonly ScoredSpan[]) {
  const { stretch, spans } = chunk;
  if (!stretch) return scored.map((span, i) => ({ ...span, segment: spans[i]!.segment }));
  const { before } = silenceSeconds(chunk);
  return scored.flatMap(({ readings }) => {
    return spans.map(({ segment, start, end }) => {
      return { segment, start: start + before, end: end + before, readings };
    });
  });
}

type SecondPass = Omit<ChunkJob, 'request' | 'job'>;

/** Recognises a chunk, or a part of one, which the first pass has already scored. */
export function recogniseAgain(
  pool: InferencePool,
  { request, job }: Pick<ChunkJob, 'request' | 'job'>,
  { chunk, ...rest }: SecondPass,
): Promise<AnalyzedChunk> {
  return analyzeChunk(pool, {
    ...{ ...rest, isSecondPass: true },
    request: { ...request, task: 'transcription' },
    // What is faint is checked again, as the words of another sound are no better in this pass.
    chunk: { ...chunk, spans: chunk.isFaint ? chunk.spans : [] },
    job,
  });
}

/** The weights for several languages are the only optional part. */
function chunkFailed(error: unknown, { model, language }: ChunkRequest): never {
  const others = writesTexts(model) || (language !== null && language !== 'en');
  if (!others || !(error instanceof InferenceFailed)) throw error;
  const message = 'The model for text in several languages is not available.';
  throw new ServiceError('model_unavailable', message, { cause: error });
}
