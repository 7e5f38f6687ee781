// What each task of the file endpoints needs and answers; pure data for workers and API.

export type RecordingTask =
  'transcription' | 'emotion' | 'style' | 'affect' | 'analysis' | 'synthetic_speech';

export interface TaskSteps {
  /** Runs the decoder: the answer has text and words. */
  readonly words: boolean;
  /** Runs a head over spans. */
  readonly scores: boolean;
  readonly emotions: boolean;
  readonly styles: boolean;
}

/** contract.md, "Which fields a SpeechResult has". */
export const taskSteps: Readonly<Record<RecordingTask, TaskSteps>> = {
  transcription: { words: true, scores: false, emotions: false, styles: false },
  emotion: { words: false, scores: true, emotions: true, styles: false },
  style: { words: false, scores: true, emotions: false, styles: true },
  affect: { words: false, scores: true, emotions: true, styles: true },
  analysis: { words: true, scores: true, emotions: true, styles: true },
  synthetic_speech: { words: false, scores: true, emotions: false, styles: false },
};
