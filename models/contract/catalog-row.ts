// What is said of a public model, once: a row of the catalog.
import type { Container } from './containers.ts';
import type { RecordingTask, TaskSteps } from './tasks.ts';

export type Lifecycle = 'stable' | 'preview';

/** Tasks of a recording, and what a request may add to one. */
export type TaskName = RecordingTask | 'emotion_detection' | 'diarization';

/** USD per audio minute by task, as decimal strings with four decimals or more (contract.md). */
export type Rates = Readonly<Partial<Record<TaskName, string>>>;

/**
 * The form that a model is asked with and the body that it answers with. Models of the shapes
 * `common`, `lite` and `spectra-2` share the endpoints of their tasks; the others have their own.
 */
export type Shape =
  'common' | 'lite' | 'spectra-2' | 'proficiency' | 'resonance-2' | 'synthetic-speech';

/** Inclusive at both ends, at decoded sample precision. */
export interface ModelLimits {
  readonly minSeconds: number;
  readonly maxSeconds: number;
  readonly maxFileBytes: number;
  /** Of the whole multipart body. */
  readonly maxBodyBytes: number;
  readonly containers: readonly Container[];
  /** Takes one channel at 16 kHz and nothing else. */
  readonly mono16kHz?: true;
}

/** Windows of one length that do not overlap. */
export interface WindowRule {
  readonly seconds: number;
  /** A last window that is shorter belongs to the one before it. */
  readonly minSeconds: number;
  /** Digital silence is not scored at all. */
  readonly abstainsOnSilence?: true;
}

/** The bundle of each part of a model: names of `models/bundles/manifests`. */
export interface ModelParts {
  readonly recognition: string;
  /** Writes the text in the recognition bundle's place: whole chunks, without words' times. */
  readonly transcription?: string;
  /** Recognises what is spoken in another language than the recognition bundle's. */
  readonly otherLanguages?: string;
  readonly voiceActivity: string;
  readonly alignment: string;
  readonly lexicon: string;
  /** Head over pooled layers: affect, or the check for synthetic speech. */
  readonly head: string;
  /** Of the head's scores or of the words', where the answer has calibrated ones. */
  readonly calibration?: string;
  /** Absent: the model does not diarize. */
  readonly diarization?: { readonly speakers: string; readonly talkerCount: string };
}

export interface CatalogModel {
  readonly id: string;
  /** Other ids that its endpoint takes for it. */
  readonly aliases?: readonly string[];
  readonly lifecycle: Lifecycle;
  readonly shape: Shape;
  readonly tasks: readonly TaskName[];
  readonly labels?: { readonly emotions: readonly string[]; readonly styles: readonly string[] };
  readonly limits: ModelLimits;
  /** Absent: every organization may use it. */
  readonly access?: 'approval' | 'paid-plan';
  /** Absent: the recording is scored by its speech. */
  readonly window?: WindowRule;
  /** Absent: what each task needs (`tasks.ts`). */
  readonly steps?: TaskSteps;
  readonly parts: ModelParts;
  readonly ratesPerMinuteUsd: Rates;
}
