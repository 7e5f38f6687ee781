// Analyses a recording while it arrives, so that little work is left at its end.
import { isDeepStrictEqual } from 'node:util';
import type { AffectModel } from '../affect/select.ts';
import type { Word } from '../asr/transcript.ts';
import type { ReadSamples } from '../audio/samples.ts';
import type { RecordingRequest } from '../contract/recording-request.ts';
import { languageOf, stepsOf } from '../contract/served-models.ts';
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { hopSamples } from '../vad/hops.ts';
import { gridStart } from '../vad/sound-grid.ts';
import { findSpeechRegions, hearSpeech, type HeardSpeech } from '../vad/speech-regions.ts';
import { analyzeChunk } from './analyze-chunk.ts';
import { resultOf } from './result/result-of.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';
import { defaultChunkOptions, planChunks, type Chunk } from './plan/chunk-plan.ts';
import { readChunk } from './plan/chunk-samples.ts';
import {
  createLiveRecognition,
  type LiveOptions,
  type LiveRecording,
} from './live/live-recognition.ts';
import { planRecording, type PlannedChunk, type RecordingPlan } from './plan/plan.ts';
import { planSpeech } from './plan/plan-speech.ts';
import type { RecordingResult } from './result/result.ts';
import type { ConversationTurn } from '../redaction/conversation.ts';
import { createSampleBuffer, type SampleBuffer } from './sample-buffer.ts';
import { createGrowingVoiceActivity, type GrowingVoiceActivity } from './growing-voice-activity.ts';
import { speechProbabilities } from './voice-activity.ts';
import { sampleRate } from '../audio/sample-rate.ts';

export interface IncrementalOptions {
  readonly pool: InferencePool;
  readonly organizationId: string;
  readonly request: RecordingRequest;
  readonly affect: AffectModel | null;
  /**
   * Interim text while the recording arrives; null for none. It changes nothing of the result. With
   * redaction there is none: what an utterance says is known only when it is complete.
   */
  readonly live?: LiveOptions | null;
  /** Its place where turns are redacted in order; absent for a recording by itself. */
  readonly conversation?: ConversationTurn | undefined;
}

export interface IncrementalAnalysis {
  /** Takes the next samples, 16 kHz mono PCM16 little-endian. */
  record(data: Uint8Array): void;
  /** Analyses the rest. May be called again after an error. */
  finish(): Promise<RecordingResult>;
  /** Aborts everything in progress. */
  abort(): void;
  /** The words that were reported as stable; [] without interim text. */
  stableWords(): readonly Word[];
}

/** Shorter than for files, because the client waits for the last chunk. */
const chunkOptions = { ...defaultChunkOptions, targetSeconds: 9, maxSeconds: 12 };
/** So short a recording is one chunk as a file as well, and is then heard and cut as that. */
const fileSamples = chunkOptions.maxSeconds * sampleRate;

export function createIncrementalAnalysis(options: IncrementalOptions): IncrementalAnalysis {
  const { pool, organizationId, request, affect, live: liveOptions = null } = options;
  const steps = stepsOf(request);
  const aborter = new AbortController();
  const job = { organizationId, priority: 1, signal: aborter.signal } as const;
  const buffer = createSampleBuffer();
  const speech = createGrowingVoiceActivity(pool, buffer, job);
  const analyses = new Map<string, ChunkAnalysis>();
  const read: ReadSamples = async (span) => buffer.slice(span.startSample, span.endSample);

  const recording = liveRecording({ buffer, speech, request, analyses });
  const live =
    liveOptions && request.options.redact === undefined
      ? createLiveRecognition(pool, recording, { ...liveOptions, ...job })
      : null;

  const plan = (heard: HeardSpeech): RecordingPlan => {
    const probabilities = speech.probabilities();
    const samples = buffer.length;
    return planRecording({ steps, ...heard, probabilities, samples, turns: null, chunkOptions });
  };

  const analyze = (chunk: PlannedChunk): Promise<AnalyzedChunk> => {
    const key = keyOf(chunk);
    const { spans, isFaint } = chunk;
    const known = analyses.get(key);
    // Where speech went on behind the chunk, its spans may be others than at the first time: then
    // it is scored again, but words alone stay.
    const sameSpans = !steps.scores || isDeepStrictEqual(known?.spans, spans);
    if (known && sameSpans && known.isFaint === isFaint) return known.analyzed;
    const analyzed = readChunk(read, chunk).then((pcm) => {
      return analyzeChunk(pool, { request, chunk, pcm, job });
    });
    const started = { spans, isFaint, analyzed };
    analyses.set(key, started);
    // `finish` tries a failed chunk again.
    analyzed.catch(() => analyses.get(key) === started && analyses.delete(key));
    return analyzed;
  };

  /** Analyses chunks that cannot grow any more, and the last one after a pause. */
  const analyzeClosed = (detectedSamples: number): void => {
    const regions = findSpeechRegions(speech.probabilities());
    const { chunks } = plan({ regions, isFaint: false });
    chunks.forEach((chunk, i) => {
      const last = i === chunks.length - 1;
      // Speech may continue after the pause, so the attempt is made only while the pool is idle.
      const paused = chunk.endSample < detectedSamples && pool.idle();
      if (!last || paused) analyze(chunk).catch(() => {});
    });
  };

  return {
    record(data) {
      buffer.append(data);
      speech.detectNew(analyzeClosed);
      live?.advance();
    },
    async finish() {
      live?.stop();
      await speech.detectAll();
      const samples = buffer.length;
      const planned =
        samples > fileSamples
          ? plan(hearSpeech(speech.probabilities()))
          : await planAsFile(pool, request, { pcm: buffer.slice(0, samples), job });
      const chunks = await Promise.all(planned.chunks.map(analyze));
      const indexed = chunks.map((chunk, index) => ({ ...chunk, index }));
      const audio = { samples, sourceSamples: samples, sourceRate: sampleRate };
      const analyzed = { request, audio, plan: planned, chunks: indexed, read, job };
      const redactNext = request.options.redact && (await options.conversation?.next());
      return resultOf(pool, analyzed, { affect, transcript: null, redactNext });
    },
    abort() {
      live?.stop();
      aborter.abort(new Error('the stream ended'));
    },
    stableWords: () => live?.stable() ?? [],
  };
}

async function planAsFile(
  pool: InferencePool,
  request: RecordingRequest,
  { pcm, job }: { readonly pcm: Int16Array; readonly job: JobOptions },
): Promise<RecordingPlan> {
  const channels = [await speechProbabilities(pool, pcm, job)];
  const startSample = gridStart(pcm);
  return planSpeech(request, { channels, samples: pcm.length, turns: null, startSample });
}

function keyOf({ startSample, endSample, silence }: Omit<Chunk, 'index'>): string {
  const { beforeSamples = 0, afterSamples = 0 } = silence ?? {};
  return `${beforeSamples}-${startSample}-${endSample}-${afterSamples}`;
}

interface ChunkAnalysis {
  /** What is scored of the chunk. */
  readonly spans: PlannedChunk['spans'];
  readonly isFaint: PlannedChunk['isFaint'];
  readonly analyzed: Promise<AnalyzedChunk>;
}

interface GrowingAnalysis {
  readonly buffer: SampleBuffer;
  readonly speech: GrowingVoiceActivity;
  readonly request: RecordingRequest;
  /** Of the chunks that are analysed for the result, by key. */
  readonly analyses: ReadonlyMap<string, ChunkAnalysis>;
}

/** The recording as interim text is recognised from it: in the same chunks as its result. */
function liveRecording({ buffer, speech, request, analyses }: GrowingAnalysis): LiveRecording {
  const steps = stepsOf(request);
  return {
    length: () => buffer.length,
    slice: ({ startSample, endSample }) => buffer.slice(startSample, endSample),
    async scan(job) {
      const probabilities = await speech.peek(job);
      const samples = probabilities.length * hopSamples;
      const regions = findSpeechRegions(probabilities);
      const chunks = planChunks(regions, probabilities, samples, chunkOptions);
      return { samples, chunks, speechEndSample: (regions.at(-1)?.endHop ?? 0) * hopSamples };
    },
    isAnalyzed: (chunk) => analyses.has(keyOf(chunk)),
    analyzedWords: async (chunk) =>
      steps.words ? ((await analyses.get(keyOf(chunk))?.analyzed)?.words ?? null) : null,
    language: languageOf(request),
    vocabulary: request.options.vocabulary,
  };
}
