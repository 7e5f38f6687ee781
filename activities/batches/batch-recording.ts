// Maps an item of a batch to the recording that is analysed for it.
import { itemRequest } from '../../db/batch-items.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { idHash } from '../../db/object-keys.ts';
import { requireActiveAccount } from '../../db/account-status.ts';
import { checkDocument } from '../../db/stored-json.ts';
import { batchOptionsFormat } from '../../models/analysis/result/documents.ts';
import { stepsOf } from '../../models/contract/served-models.ts';
import { joinVocabularies } from '../../models/contract/vocabulary.ts';
import { redactionOf, withRedaction } from '../../models/redaction/redaction-of.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import { requestWorkflowId } from '../../workflows/ids.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type {
  AnalyzeRecordingInput,
  BatchRecording,
  RecordingInput,
  SharedItemRequest,
} from '../../workflows/types.ts';

/** The request that every item shares. */
export function requestOf(
  batch: Pick<StoredBatch, 'id' | 'organizationId' | 'task' | 'model' | 'options'>,
): SharedItemRequest {
  const stored = checkDocument(batchOptionsFormat, batch.options);
  const { diarize, numSpeakers, includeLogits, separateChannels, language, formatNumbers } = stored;
  const { redactKinds: kinds, redactNames: names, organizationRedaction = null } = stored;
  const { organizationId, attempt } = itemRequest(batch.organizationId, batch.id, 0);
  const { task, model } = batch;
  const options = {
    ...{ diarize, numSpeakers, includeLogits },
    ...(separateChannels && { separateChannels }),
    ...(language && { language }),
    ...(formatNumbers && { formatNumbers }),
    ...redactionOf({ kinds, names }),
  };
  const removing = withRedaction({ task, model, options }, organizationRedaction);
  const { words } = stepsOf({ task, model });
  const hasTerms = words && vocabularyOfBatch(batch).length > 0;
  const terms = hasTerms && { batchVocabulary: true as const };
  return { organizationId, attempt, task, model, options: removing, ...terms };
}

/** The terms that recognition prefers in each item. */
export function vocabularyOfBatch({ options }: Pick<StoredBatch, 'options'>): readonly string[] {
  const stored = checkDocument(batchOptionsFormat, options);
  return joinVocabularies(stored.vocabulary, stored.organizationVocabulary);
}

export function recordingOf<Upload extends BatchItem['upload']>(
  batch: StoredBatch,
  { position, upload }: { readonly position: number; readonly upload: Upload },
): Omit<AnalyzeRecordingInput, 'upload'> & { readonly upload: Upload } {
  return {
    ...requestOf(batch),
    ...itemRequest(batch.organizationId, batch.id, position),
    batch: { id: batch.id, position },
    upload,
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
export function batchRecording(recording: RecordingInput): BatchRecording {
  const { organizationId, requestId, upload, batch } = recording;
  const workflowId = requestWorkflowId(organizationId, idHash(requestId));
  return { kind: 'recording', position: batch!.position, requestId, workflowId, upload };
}
