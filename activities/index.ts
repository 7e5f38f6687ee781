// Every activity of the batch worker, closed over what it needs.
import type {
  AnalyzeRecordingInput,
  AnalyzeSpanInput,
  DiarizeRecordingInput,
  FailRecordingInput,
  FinishRecordingInput,
} from '../workflows/types.ts';
import { analyzeSpan } from './analyze-span.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { diarizeRecording } from './diarize.ts';
import { failRecording, finishRecording } from './finish-recording.ts';
import { openRecording } from './open-recording.ts';
import { sweep } from './sweep.ts';

// The return type is inferred: it is what the workflows' proxies are typed with.
export function createActivities(dependencies: ActivityDependencies) {
  return {
    openRecording: (input: AnalyzeRecordingInput) => openRecording(dependencies, input),
    diarizeRecording: (input: DiarizeRecordingInput) => diarizeRecording(dependencies, input),
    analyzeSpan: (input: AnalyzeSpanInput) => analyzeSpan(dependencies, input),
    finishRecording: (input: FinishRecordingInput) => finishRecording(dependencies, input),
    failRecording: (input: FailRecordingInput) => failRecording(dependencies, input),
    sweep: () => sweep(dependencies),
  };
}
