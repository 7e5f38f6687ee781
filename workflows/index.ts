// What the worker's workflow bundle exports.
export { analyzeRecording } from './analyze-recording.ts';
export { sweepLeftovers } from './sweep.ts';
