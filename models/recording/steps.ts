// What each task of the file endpoints needs and answers; pure data for workers and API.

export type RecordingTask = 'transcription' | 'emotion' | 'style' | 'affect' | 'analysis';

export interface TaskSteps {
  /** Runs the decoder: the answer has text and words. */
  readonly words: boolean;
  readonly emotions: boolean;
  readonly styles: boolean;
}

/** contract.md, "Which fields a SpeechResult has". */
export const taskSteps: Readonly<Record<RecordingTask, TaskSteps>> = {
  transcription: { words: true, emotions: false, styles: false },
  emotion: { words: false, emotions: true, styles: false },
  style: { words: false, emotions: false, styles: true },
  affect: { words: false, emotions: true, styles: true },
  analysis: { words: true, emotions: true, styles: true },
};

/** True when the affect head runs. */
export function scoresAffect(task: RecordingTask): boolean {
  const { emotions, styles } = taskSteps[task];
  return emotions || styles;
}
