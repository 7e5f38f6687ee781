// The fingerprint of a logical request: a repeat with a different fingerprint is a conflict.
import { createHash } from 'node:crypto';
import type { RecordingTask } from '../../models/contract/tasks.ts';
import type { AnalysisOptions } from '../../models/contract/recording-request.ts';
import type { ModelId } from '../../models/contract/catalog.ts';

export interface FingerprintParts {
  readonly audioSha256: string;
  readonly task: RecordingTask;
  readonly model: ModelId;
  readonly options: AnalysisOptions;
  readonly keyId: string;
  /** Text submitted with the audio; null or absent without one. */
  readonly transcript?: string | null;
  /** Choices that affect the answer, but not the analysis; null or absent without any. */
  readonly answer?: Readonly<Record<string, string>> | null;
}

/** sha256 in hex over audio, task, model, options, key, transcript and the form of the answer. */
export function fingerprint({
  audioSha256,
  task,
  model,
  options,
  keyId,
  transcript,
  answer,
}: FingerprintParts): string {
  const { diarize, numSpeakers, includeLogits } = options;
  const parts: unknown[] = [audioSha256, task, model, diarize, numSpeakers, includeLogits, keyId];
  if (options.language) parts.push({ language: options.language });
  if (options.formatNumbers) parts.push({ formatNumbers: true });
  if (options.redact) parts.push({ redact: options.redact });
  if (options.vocabulary) parts.push({ vocabulary: options.vocabulary });
  if (transcript) parts.push(transcript);
  if (answer) parts.push(answer);
  return fingerprintOf(parts);
}

/** sha256 in hex of what a request says. */
export function fingerprintOf(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
