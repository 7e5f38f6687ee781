// The fingerprint of a logical request: a repeat with another one is a conflict.
import { createHash } from 'node:crypto';
import type { AnalysisOptions, FileModel, Task } from '../../workflows/types.ts';

export interface FingerprintParts {
  readonly audioSha256: string;
  readonly task: Task;
  readonly model: FileModel;
  readonly options: AnalysisOptions;
  readonly keyId: string;
  /** Text that comes with the audio; null or absent without one. */
  readonly transcript?: string | null;
}

/** sha256 in hex over audio, task, model, options, key and transcript. */
export function fingerprint({
  audioSha256,
  task,
  model,
  options,
  keyId,
  transcript,
}: FingerprintParts): string {
  const { diarize, numSpeakers, includeLogits } = options;
  const parts = [audioSha256, task, model, diarize, numSpeakers, includeLogits, keyId];
  if (transcript) parts.push(transcript);
  return fingerprintOf(parts);
}

/** sha256 in hex of what a request says. */
export function fingerprintOf(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
