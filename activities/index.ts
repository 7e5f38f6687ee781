// Every activity of the batch worker, closed over what it needs.
import type {
  AnalyzeRecordingInput,
  AnalyzeSpanInput,
  ClipGroupInput,
  DiarizeRecordingInput,
  FailRecordingInput,
  FinishBatchInput,
  FinishRecordingInput,
  RunBatchInput,
  WebhookInput,
} from '../workflows/types.ts';
import { analyzeSpan } from './analyze-span.ts';
import { analyzeClips } from './batches/analyze-clips.ts';
import { finishBatch, startBatch } from './batches/end-batch.ts';
import { planBatch } from './batches/plan-batch.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { diarizeRecording } from './diarize.ts';
import { failRecording, finishRecording } from './finish-recording.ts';
import { openRecording } from './open-recording.ts';
import { sweep } from './sweep.ts';
import { postWebhook } from './batches/post-webhook.ts';

// The return type is inferred: it is what the workflows' proxies are typed with.
export function createActivities(dependencies: ActivityDependencies) {
  return {
    openRecording: (input: AnalyzeRecordingInput) => openRecording(dependencies, input),
    diarizeRecording: (input: DiarizeRecordingInput) => diarizeRecording(dependencies, input),
    analyzeSpan: (input: AnalyzeSpanInput) => analyzeSpan(dependencies, input),
    finishRecording: (input: FinishRecordingInput) => finishRecording(dependencies, input),
    failRecording: (input: FailRecordingInput) => failRecording(dependencies, input),
    startBatch: (batchId: string) => startBatch(dependencies, batchId),
    planBatch: (input: RunBatchInput) => planBatch(dependencies, input),
    analyzeClips: (input: ClipGroupInput) => analyzeClips(dependencies, input),
    finishBatch: (input: FinishBatchInput) => finishBatch(dependencies, input),
    postWebhook: (input: WebhookInput) => postWebhook(dependencies, input),
    sweep: () => sweep(dependencies),
  };
}
