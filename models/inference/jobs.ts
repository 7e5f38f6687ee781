// The jobs of an inference process and their results: plain data, as it crosses a process boundary.
import type { LogOddsOfParts } from '../asr/english-head.ts';
import type { LanguagePrior } from '../asr/language-decision.ts';
import type { LanguageProbabilities, Word, WrittenText } from '../asr/transcript.ts';
import type { TimeSpan } from '../audio/samples.ts';
import type { HeardLevel } from '../vad/steady-level.ts';
import type { HeardWord } from '../proficiency/pronounced-word.ts';

/** The lower goes first: what a caller waits for is 1, bulk and interim text 3 (docs/adr/0015). */
export type Priority = 1 | 3;

export interface JobOptions {
  /** The organization that the job is charged to (docs/adr/0019). */
  readonly organizationId: string;
  readonly priority: Priority;
  readonly signal?: AbortSignal;
}

export interface VoiceActivityOptions extends JobOptions {
  /**
   * What precedes the samples, which are heard at one level with it; absent: nothing does. null:
   * they are heard as recorded, as the level of a stream is not known before its first words.
   */
  readonly heard?: HeardLevel | null;
}

/** How a job went, for metrics. */
export interface JobReport {
  readonly kind: string;
  readonly priority: Priority;
  /** Time in the queue. */
  readonly waitMs: number;
  /** Time in which the job had its process's core. */
  readonly runMs: number;
  /** The longest time that another job of the process waited for the core; 0 when none did. */
  readonly blockingMs: number;
}

/** What to compute for a chunk; one encoder pass serves all of it. */
export interface ChunkRequest {
  /** The public model, for which other recognisers may be assigned; absent: none are. */
  readonly model?: string;
  /** Recognises words, with their times. */
  readonly words: boolean;
  /**
   * Language of the words: 'en' is recognised by Moonshine, others by Whisper, unless others are
   * assigned; null detects the language.
   */
  readonly language: string | null;
  /** Prior from the rest of the recording; used when the language is null. */
  readonly prior?: LanguagePrior;
  /** Where a language is to be detected: Moonshine runs only where Whisper hears English. */
  readonly unlikelyEnglish?: true;
  /** Detects the language of the words, which are not recognised; used when it is null. */
  readonly detectionOnly?: true;
  /** Says whether and where the chunk sounds like English, which needs no word. */
  readonly englishParts?: true;
  /** Where a language is to be detected: reads the chunk in several before one is selected. */
  readonly compareReadings?: boolean;
  /** Words and phrases that are preferred where they sound alike; absent for none. */
  readonly vocabulary?: readonly string[];
  /** Transcribes the chunk as a whole, in the language that is detected. */
  readonly text: boolean;
  /** Scores the spans with the head of this public model; null scores nothing. */
  readonly head: string | null;
  /** Seconds from the start of the chunk. */
  readonly spans: readonly TimeSpan[];
  /** Voice activity is unsure: without speech in the spans there are neither words nor scores. */
  readonly isFaint?: true;
  /** Where that speech may be, in seconds from the start of the chunk; absent: in the spans. */
  readonly faintSpeech?: readonly TimeSpan[];
}

/** Times in seconds from the start of the chunk. */
export interface ChunkAnalysis {
  readonly words: readonly Word[];
  /** Language of the words; null unless words were requested. */
  readonly language: string | null;
  /** Whisper's detection; null if it did not run. */
  readonly languages: LanguageProbabilities | null;
  /** Log-odds of English according to Moonshine; null if it did not run. */
  readonly english: number | null;
  /**
   * Log-odds of English by its sound where they are lowest and highest in the chunk; null unless
   * its language was detected and Moonshine's encoder ran.
   */
  readonly englishParts?: LogOddsOfParts | null;
  /** null unless text was requested. */
  readonly written: WrittenText | null;
  readonly scored: readonly ScoredSpan[];
  /** Time in which the chunk had its process's core. */
  readonly inferenceMs: number;
}

export interface ScoredSpan extends TimeSpan {
  /**
   * The input of the affect classifier (models/affect/classify.ts), or the logit of synthetic
   * speech.
   */
  readonly readings: Float32Array;
}

/** Words of a text that was read, from the first that is still to come. */
export interface KnownWords {
  readonly words: readonly string[];
  /** False: the chunk may end after any of them. */
  readonly toTheLast: boolean;
}

/** Inference in child processes with one intra-op thread each (`models/inference/pool.ts`). */
export interface InferencePool {
  /** The number of inference processes. */
  readonly size: number;
  /** True when a job would start at once. */
  idle(): boolean;
  /** Resolves when every process has its models loaded. */
  ready(): Promise<void>;
  /**
   * Speech probability for each hop of 512 samples (the last hop is zero-padded).
   * @param pcm 16 kHz mono PCM16, any length; at most 120 s
   */
  voiceActivity(pcm: Int16Array, options: VoiceActivityOptions): Promise<Float32Array>;
  /** Words and scores of one chunk. @param pcm 16 kHz mono PCM16, at most 30 s */
  analyze(pcm: Int16Array, request: ChunkRequest, options: JobOptions): Promise<ChunkAnalysis>;
  /**
   * Aligns known words to a chunk: one entry for each that it contains, with times from its start.
   * @param pcm 16 kHz mono PCM16, at most 30 s
   */
  pronounce(pcm: Int16Array, known: KnownWords, options: JobOptions): Promise<readonly HeardWord[]>;
  /**
   * Probabilities of one and of several voices, row-major [hops, 2], for each hop of 24 ms.
   * @param pcm 16 kHz mono PCM16, at most 30 s
   */
  countSpeakers(pcm: Int16Array, options: JobOptions): Promise<Float32Array>;
  /**
   * Speaker embeddings, row-major [windows, size]. @param pcm 16 kHz mono PCM16, at most 120 s
   * @param startSamples first sample of each window of 1.6 s
   */
  embedSpeakers(
    pcm: Int16Array,
    startSamples: readonly number[],
    options: JobOptions,
  ): Promise<Float32Array>;
  /** Kills the processes; pending jobs reject. */
  close(): Promise<void>;
}
