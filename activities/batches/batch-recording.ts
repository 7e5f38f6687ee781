// Maps an item of a batch to the recording that is analysed for it.
import { itemRequest, type BatchItem } from '../../db/batch-items.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { requestHash } from '../../db/object-keys.ts';
import { requireActiveAccount } from '../../db/account-status.ts';
import { checkDocument } from '../../db/stored-json.ts';
import { batchOptionsFormat } from '../../models/analysis/documents.ts';
import type { Container } from '../../models/contract/containers.ts';
import { requestWorkflowId } from '../../workflows/ids.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { AnalyzeRecordingInput, BatchRecording, BatchRequest } from '../../workflows/types.ts';
import type { RecordingTask } from '../../models/contract/tasks.ts';
import type { ModelId } from '../../models/contract/catalog.ts';

/** The request that every item shares. Its columns were validated when the batch was created. */
export function requestOf(
  batch: Pick<StoredBatch, 'id' | 'organizationId' | 'task' | 'model' | 'options'>,
): BatchRequest {
  const stored = checkDocument(batchOptionsFormat, batch.options);
  const { diarize, numSpeakers, includeLogits, separateChannels, language } = stored;
  const options = { diarize, numSpeakers, includeLogits };
  const { organizationId, attempt } = itemRequest(batch.organizationId, batch.id, 0);
  return {
    organizationId,
    attempt,
    task: batch.task as RecordingTask,
    model: batch.model as ModelId,
    options: {
      ...options,
      ...(separateChannels && { separateChannels }),
      ...(language && { language }),
    },
  };
}

export function recordingOf(batch: StoredBatch, item: BatchItem): AnalyzeRecordingInput {
  const { position, objectKey: key, container, bytes, sha256 } = item;
  return {
    ...requestOf(batch),
    ...itemRequest(batch.organizationId, batch.id, position),
    batch: { id: batch.id, position },
    upload: { key, container: container as Container, bytes, ...(sha256 && { sha256 }) },
  };
}

/**
 * Nothing of a batch is analysed once its organization is suspended. A synchronous request is not
 * checked again: it is finished once its minutes are reserved.
 * @throws AccountSuspended
 */
export async function requireActiveBatchAccount(
  { db }: Pick<ActivityDependencies, 'db'>,
  { batch, organizationId }: Pick<AnalyzeRecordingInput, 'batch' | 'organizationId'>,
): Promise<void> {
  if (batch) await requireActiveAccount(db, organizationId);
}

/** The same recording as the input of a workflow of its own. */
export function batchRecording(recording: AnalyzeRecordingInput): BatchRecording {
  const { organizationId, requestId, upload, batch } = recording;
  const workflowId = requestWorkflowId(organizationId, requestHash(requestId));
  return { kind: 'recording', position: batch!.position, requestId, workflowId, upload };
}
