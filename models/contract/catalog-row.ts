// The facts about a public model, stated once: a row of the catalog.
import type { Container } from './containers.ts';
import type { RecordingTask, TaskSteps } from './tasks.ts';

export type Lifecycle = 'stable' | 'preview';

/** Tasks of a recording, and what a request may add to one. */
export type TaskName = RecordingTask | 'emotion_detection' | 'diarization';

/** USD per audio minute by task, as decimal strings with four decimals or more (contract.md). */
export type Rates = Readonly<Partial<Record<TaskName, string>>>;

/**
 * The request form and the response body. Models of the shapes `common`, `lite` and `spectra-2`
 * share the endpoints of their tasks; the others have their own.
 */
export type Shape =
  'common' | 'lite' | 'spectra-2' | 'proficiency' | 'resonance-2' | 'synthetic-speech';

/** Inclusive at both ends, at decoded sample precision. */
export interface ModelLimits {
  readonly minSeconds: number;
  readonly maxSeconds: number;
  readonly maxFileBytes: number;
  /** Limit of the whole multipart body. */
  readonly maxBodyBytes: number;
  readonly containers: readonly Container[];
  /** Accepts only one channel at 16 kHz. */
  readonly mono16kHz?: true;
}

/** Windows of a fixed length without overlap. */
export interface WindowRule {
  readonly seconds: number;
  /** A shorter last window is merged into the one before it. */
  readonly minSeconds: number;
  /** Digital silence is not scored at all. */
  readonly abstainsOnSilence?: true;
}

/** The bundle of each part of a model: names of `models/bundles/manifests`. */
export interface ModelParts {
  /** Recognises English words. */
  readonly recognition: string;
  /** The bundle whose encoder layers the heads and the aligner of known words read (ADR 35). */
  readonly features: string;
  /** Transcribes whole chunks without word times, in place of the recognition bundle. */
  readonly transcription?: string;
  /** Recognises again what the recogniser of English words is unsure of. */
  readonly secondOpinion?: string;
  /** The bundle that recognises other languages. */
  readonly otherLanguages?: string;
  readonly voiceActivity: string;
  /** Tells speech from other sounds in what voice activity finds. */
  readonly speechCheck: string;
  /** Tells speech from music and noise in what the speech check is unsure of. */
  readonly soundClasses: string;
  /** Aligns known words, for their pronunciation; a recogniser has an aligner of its own. */
  readonly alignment: string;
  readonly lexicon: string;
  /** Head over pooled layers: affect, or synthetic speech. */
  readonly head: string;
  /** Its first layers hear what a synthesiser leaves in a voice. */
  readonly voices?: string;
  /** Calibration of the head's scores or of the words' scores. */
  readonly calibration?: string;
  /** Absent when the model does not diarize. */
  readonly diarization?: { readonly speakers: string; readonly speakerCount: string };
}

export interface CatalogModel {
  readonly id: string;
  /** Alias ids that its endpoint accepts. */
  readonly aliases?: readonly string[];
  readonly lifecycle: Lifecycle;
  readonly shape: Shape;
  readonly tasks: readonly TaskName[];
  readonly labels?: { readonly emotions: readonly string[]; readonly styles: readonly string[] };
  readonly limits: ModelLimits;
  /** Absent when every organization may use the model. */
  readonly access?: 'approval' | 'paid-plan';
  /** Absent when the recording is scored by its speech segments. */
  readonly window?: WindowRule;
  /** Overrides the steps of its tasks (`tasks.ts`). */
  readonly steps?: TaskSteps;
  readonly parts: ModelParts;
  readonly ratesPerMinuteUsd: Rates;
}
