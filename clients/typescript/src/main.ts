// The package's entry.
export { taskPaths, type Audio, type AudioCall, type SpeechTask } from './audio.ts';
export {
  type BatchRecording,
  type BatchRun,
  type BatchRunOptions,
  type BatchRunProgress,
} from './batch-run.ts';
export { hasEnded, type Batches, type ItemPage, type WaitOptions } from './batches.ts';
export { createSpeechClient, type ClientOptions, type SpeechClient } from './client.ts';
export type { FormFields, NamedRecording, Recording } from './recording.ts';
export type {
  Batch,
  BatchItem,
  BatchRequest,
  BatchResult,
  CallMetrics,
  Channel,
  ClientToken,
  ExportFormat,
  File as StoredFile,
  LiteResult,
  ModelList,
  PreparedSession,
  PresignedFile,
  Pricing,
  ProficiencyResult,
  Resonance2Result,
  Score,
  Segment,
  Spectra2Result,
  SpeechResult,
  StreamSession,
  SyntheticSpeechResult,
  TranscriptionRequest,
  Word,
} from './schemas.ts';
export type { LiveOptions, LiveText, LiveWord, OnText } from './live-text.ts';
export { SpeechServiceError } from './service-error.ts';
export {
  verifyWebhook,
  WebhookRejected,
  type ReceivedWebhook,
  type VerifyOptions,
  type WebhookEvent,
} from './webhooks.ts';
