// The tasks of a recording: where each is served, and which steps it takes; pure data.

export interface TaskSteps {
  /** Runs the word decoder: the answer has text, and words with times. */
  readonly words: boolean;
  /** Transcribes whole chunks: the answer has text without words. */
  readonly text: boolean;
  /** Scores spans with a head. */
  readonly scores: boolean;
  readonly emotions: boolean;
  readonly styles: boolean;
}

/** contract.md, "Which fields a SpeechResult has". */
export const taskSteps = {
  transcription: { words: true, text: false, scores: false, emotions: false, styles: false },
  emotion: { words: false, text: false, scores: true, emotions: true, styles: false },
  style: { words: false, text: false, scores: true, emotions: false, styles: true },
  affect: { words: false, text: false, scores: true, emotions: true, styles: true },
  analysis: { words: true, text: false, scores: true, emotions: true, styles: true },
  proficiency: { words: true, text: false, scores: false, emotions: false, styles: false },
  synthetic_speech: { words: false, text: false, scores: true, emotions: false, styles: false },
} as const satisfies Readonly<Record<string, TaskSteps>>;

export type RecordingTask = keyof typeof taskSteps;

/** Tasks whose answer is a SpeechResult. */
export type SpeechTask = Exclude<RecordingTask, 'synthetic_speech'>;

/** Tasks of Spectra-2. */
export type SpectraTask = 'transcription' | 'analysis';

/** Tasks whose endpoints several models share, and their paths. */
export const sharedTaskPaths = {
  transcription: '/v1/audio/transcriptions',
  emotion: '/v1/audio/emotions',
  style: '/v1/audio/styles',
  affect: '/v1/audio/affect',
  analysis: '/v1/audio/analysis',
} as const satisfies Partial<Record<RecordingTask, string>>;

export type SharedTask = keyof typeof sharedTaskPaths;
export const sharedTasks = Object.keys(sharedTaskPaths) as [SharedTask, ...SharedTask[]];

/** Paths of the shapes with an endpoint of their own. */
export const shapePaths = {
  proficiency: '/v1/audio/proficiency',
  'resonance-2': '/v1/audio/resonance-2',
  'synthetic-speech': '/v1/audio/synthetic-speech',
} as const;
