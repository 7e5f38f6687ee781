// What the worker's workflow bundle exports.
export { analyzeRecording } from './analyze-recording.ts';
export { deliverWebhook } from './deliver-webhook.ts';
export { preparedSession } from './prepared-session.ts';
export { runBatch } from './run-batch.ts';
export { streamRecording } from './stream-recording.ts';
export { sweepLeftovers } from './sweep.ts';
