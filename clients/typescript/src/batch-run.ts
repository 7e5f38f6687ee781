// A batch from recordings: uploads them side by side, creates the batch, and waits for its end.
import type { Batches } from './batches.ts';
import type { Files } from './files.ts';
import type { Recording } from './recording.ts';
import type { Batch, BatchRequest } from './schemas.ts';
import type { CallOptions } from './transport.ts';

export interface BatchRecording {
  /** Names the recording in the results; unique in the batch. */
  readonly customId: string;
  readonly recording: Recording;
  readonly metadata?: Readonly<Record<string, string>>;
}

export type BatchRunProgress =
  | { readonly phase: 'uploading'; readonly uploaded: number; readonly total: number }
  | { readonly phase: 'analysing'; readonly batch: Batch };

export interface BatchRunOptions extends CallOptions {
  /**
   * Identifies the run: repeating it uploads nothing twice and continues with the same batch. At
   * most 100 visible ASCII characters; by default a new one.
   */
  readonly idempotencyKey?: string;
  /** Uploads at once; default 4. */
  readonly concurrency?: number;
  readonly onProgress?: (progress: BatchRunProgress) => void;
  readonly pollMs?: number;
}

export interface BatchRun {
  readonly order: Omit<BatchRequest, 'items'>;
  readonly recordings: readonly BatchRecording[];
}

/**
 * Returns the batch once it has ended; its results are read with `batches.results`.
 * @throws SpeechServiceError when an upload or the batch is rejected
 */
export async function runBatch(
  { files, batches }: { readonly files: Files; readonly batches: Batches },
  { order, recordings }: BatchRun,
  options: BatchRunOptions = {},
): Promise<Batch> {
  const { signal, concurrency = 4, onProgress, pollMs } = options;
  const key = options.idempotencyKey ?? crypto.randomUUID();
  if (key === '') throw new Error('idempotencyKey must not be empty');
  const call = signal && { signal };
  // Once one upload has failed, no batch will name the others.
  const failing = new AbortController();
  const uploading = signal ? AbortSignal.any([signal, failing.signal]) : failing.signal;
  const total = recordings.length;
  const ids = Array.from({ length: total }, () => '');
  let next = 0;
  let uploaded = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < total; i = next++) {
      const upload = { idempotencyKey: `${key}/${i}`, signal: uploading };
      ids[i] = (await files.upload(recordings[i]!.recording, upload)).id;
      uploaded += 1;
      onProgress?.({ phase: 'uploading', uploaded, total });
    }
  };
  const lanes = Array.from({ length: Math.min(concurrency, total) }, lane);
  await Promise.all(lanes).catch((error: unknown) => {
    failing.abort(error);
    throw error;
  });
  const items = recordings.map(({ customId, metadata }, i) => ({
    custom_id: customId,
    file_id: ids[i]!,
    ...(metadata && { metadata }),
  }));
  const { id } = await batches.create({ ...order, items }, { idempotencyKey: key, ...call });
  return batches.wait(id, {
    onProgress: (batch) => onProgress?.({ phase: 'analysing', batch }),
    ...(pollMs !== undefined && { pollMs }),
    ...call,
  });
}
