// What each task of the file endpoints needs and answers; pure data for workers and API.

import { spectraModel } from './catalog.ts';

export type RecordingTask =
  | 'transcription'
  | 'emotion'
  | 'style'
  | 'affect'
  | 'analysis'
  | 'proficiency'
  | 'synthetic_speech';

export interface TaskSteps {
  /** Runs the word decoder: the answer has text and words with times. */
  readonly words: boolean;
  /** Writes whole chunks: the answer has text without words. */
  readonly text: boolean;
  /** Runs a head over spans. */
  readonly scores: boolean;
  readonly emotions: boolean;
  readonly styles: boolean;
}

/** contract.md, "Which fields a SpeechResult has". */
export const taskSteps: Readonly<Record<RecordingTask, TaskSteps>> = {
  transcription: { words: true, text: false, scores: false, emotions: false, styles: false },
  emotion: { words: false, text: false, scores: true, emotions: true, styles: false },
  style: { words: false, text: false, scores: true, emotions: false, styles: true },
  affect: { words: false, text: false, scores: true, emotions: true, styles: true },
  analysis: { words: true, text: false, scores: true, emotions: true, styles: true },
  proficiency: { words: true, text: false, scores: false, emotions: false, styles: false },
  synthetic_speech: { words: false, text: false, scores: true, emotions: false, styles: false },
};

/** Spectra-2 gives text and all scores of the whole clip, whatever the task (interface.md). */
const multilingualSteps: TaskSteps = {
  words: false,
  text: true,
  scores: true,
  emotions: false,
  styles: false,
};

export function stepsOf(request: {
  readonly task: RecordingTask;
  readonly model: string;
}): TaskSteps {
  return request.model === spectraModel ? multilingualSteps : taskSteps[request.task];
}
