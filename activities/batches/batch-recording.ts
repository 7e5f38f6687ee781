// An item of a batch as the recording that it is analysed as.
import { itemRequest, type BatchItem } from '../../db/batch-items.ts';
import type { StoredBatch } from '../../db/batches.ts';
import { requestHash } from '../../db/object-keys.ts';
import type { Container } from '../../models/audio/container.ts';
import { requestWorkflowId } from '../../workflows/ids.ts';
import type {
  AnalysisOptions,
  AnalyzeRecordingInput,
  BatchRecording,
  FileModel,
  Task,
} from '../../workflows/types.ts';

/** What is asked of every item. The columns were checked when the batch was made. */
export function requestOf(
  batch: Pick<StoredBatch, 'task' | 'model' | 'options'>,
): Pick<AnalyzeRecordingInput, 'task' | 'model' | 'options'> {
  const { diarize, numSpeakers, includeLogits, separateChannels } = JSON.parse(
    batch.options,
  ) as AnalysisOptions;
  const options = { diarize, numSpeakers, includeLogits };
  return {
    task: batch.task as Task,
    model: batch.model as FileModel,
    options: { ...options, ...(separateChannels && { separateChannels }) },
  };
}

export function recordingOf(batch: StoredBatch, item: BatchItem): AnalyzeRecordingInput {
  return {
    ...itemRequest(batch.organization_id, batch.id, item.position),
    ...requestOf(batch),
    batch: { id: batch.id, position: item.position },
    upload: {
      key: item.objectKey,
      container: item.container as Container,
      bytes: item.bytes,
    },
  };
}

/** The same as a workflow of its own. */
export function batchRecording(recording: AnalyzeRecordingInput): BatchRecording {
  const { organizationId, requestId } = recording;
  const workflowId = requestWorkflowId(organizationId, requestHash(requestId));
  return { kind: 'recording', workflowId, recording };
}
