// The fingerprint of a logical request: a repeat with another one is a conflict.
import { createHash } from 'node:crypto';
import type { AnalysisOptions, FileModel, Task } from '../../workflows/types.ts';

export interface FingerprintParts {
  readonly audioSha256: string;
  readonly task: Task;
  readonly model: FileModel;
  readonly options: AnalysisOptions;
  readonly keyId: string;
}

/** sha256 in hex over audio, task, model, options and key. */
export function fingerprint({
  audioSha256,
  task,
  model,
  options,
  keyId,
}: FingerprintParts): string {
  const { diarize, numSpeakers, includeLogits } = options;
  const parts = [audioSha256, task, model, diarize, numSpeakers, includeLogits, keyId];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
