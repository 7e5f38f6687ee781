// Every activity of the batch worker, closed over what it needs.
import type {
  AnalyzeRecordingInput,
  FailRecordingInput,
  FinishRecordingInput,
  TranscribeSpanInput,
} from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { failRecording, finishRecording } from './finish-recording.ts';
import { openRecording } from './open-recording.ts';
import { sweep } from './sweep.ts';
import { transcribeSpan } from './transcribe-span.ts';

// The return type is inferred: it is what the workflows' proxies are typed with.
export function createActivities(dependencies: ActivityDependencies) {
  return {
    openRecording: (input: AnalyzeRecordingInput) => openRecording(dependencies, input),
    transcribeSpan: (input: TranscribeSpanInput) => transcribeSpan(dependencies, input),
    finishRecording: (input: FinishRecordingInput) => finishRecording(dependencies, input),
    failRecording: (input: FailRecordingInput) => failRecording(dependencies, input),
    sweep: () => sweep(dependencies),
  };
}
