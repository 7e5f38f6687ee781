// All activities of the batch worker, bound to their dependencies.
import type { Activities } from '../workflows/activities.ts';
import { analyzeSpan } from './analyze-span.ts';
import { analyzeClips } from './batches/analyze-clips.ts';
import { finishBatch, startBatch } from './batches/end-batch.ts';
import { planBatch } from './batches/plan-batch.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { diarizeRecording } from './diarize-recording.ts';
import { failRecording } from './fail-recording.ts';
import { finishRecording } from './finish-recording.ts';
import { openRecording } from './open-recording.ts';
import { sweep } from './sweep.ts';
import { fetchRecording } from './batches/fetch-recording.ts';
import { postWebhook } from './batches/post-webhook.ts';

export function createActivities(dependencies: ActivityDependencies): Activities {
  return {
    fetchRecording: (input) => fetchRecording(dependencies, input),
    openRecording: (input) => openRecording(dependencies, input),
    diarizeRecording: (input) => diarizeRecording(dependencies, input),
    analyzeSpan: (input) => analyzeSpan(dependencies, input),
    finishRecording: (input) => finishRecording(dependencies, input),
    failRecording: (input) => failRecording(dependencies, input),
    startBatch: (batchId) => startBatch(dependencies, batchId),
    planBatch: (input) => planBatch(dependencies, input),
    analyzeClips: (input) => analyzeClips(dependencies, input),
    finishBatch: (input) => finishBatch(dependencies, input),
    postWebhook: (input) => postWebhook(dependencies, input),
    sweep: () => sweep(dependencies),
  };
}
