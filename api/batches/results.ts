// The results of a batch, a line per item that has ended, read from storage while they are sent.
import { Readable } from 'node:stream';
import { isOpen, itemRequest, readItems, type BatchItem } from '../../db/batch-items.ts';
import type { StoredBatch } from '../../db/batches.ts';
import { batchResultKey } from '../../db/object-keys.ts';
import type { RecordingResult } from '../../models/recording/result.ts';
import type { FileModel } from '../../workflows/types.ts';
import type { AppDependencies } from '../dependencies.ts';
import type { SpeechTask } from '../upload/fields.ts';
import type { BatchResultBody } from '../wire/batch-result-schemas.ts';
import { toChannels, toExported, toMetricsBody } from '../wire/call-metrics.ts';
import type { SpeechResult } from '../wire/schemas.ts';
import { toSpeechResult } from '../wire/speech-result.ts';
import { optionsOf } from './batch-options.ts';

type Stores = Pick<AppDependencies, 'db' | 'objects'>;

const pageItems = 200;
const readsAhead = 8;

/** JSON lines in the order of the items; those that have not ended are left out. */
export function resultLines(stores: Stores, batch: StoredBatch): Readable {
  return Readable.from(lines(stores, batch), { objectMode: false });
}

async function* lines({ db, objects }: Stores, batch: StoredBatch): AsyncGenerator<string> {
  const { channelRoles } = optionsOf(batch);
  for (let from = 0; from < batch.total; from += pageItems) {
    const items = await readItems(db, batch.id, { from, to: from + pageItems });
    const ended = items.filter((item) => !isOpen(item));
    const reads: Promise<BatchResultBody>[] = [];
    for (const item of ended) {
      const read = readResult(objects, batch, { item, channelRoles });
      // Awaited in order below; until then a failure must not count as unhandled.
      read.catch(() => {});
      reads.push(read);
      if (reads.length === readsAhead) yield line(await reads.shift()!);
    }
    for (const read of reads) yield line(await read);
  }
}

function line(result: BatchResultBody): string {
  return `${JSON.stringify(result)}\n`;
}

const cancelled = { code: 'cancelled', message: 'The batch was cancelled before it.', param: null };

/** What became of an item that has ended. */
async function readResult(
  objects: AppDependencies['objects'],
  batch: StoredBatch,
  { item, channelRoles }: { readonly item: BatchItem; readonly channelRoles: readonly string[] },
): Promise<BatchResultBody> {
  const { position, customId, status, metadata, error } = item;
  const kept = status === 'completed' ? await readKept(objects, batch, position) : null;
  return {
    custom_id: customId,
    index: position,
    status: status as BatchResultBody['status'],
    result: kept && kept.speech,
    channels: kept && toChannels(kept.result, channelRoles),
    metrics: kept && toMetricsBody(toExported(kept.speech, kept.result)),
    error: status === 'cancelled' ? cancelled : error,
    metadata,
  };
}

export interface KeptResult {
  readonly result: RecordingResult;
  readonly speech: SpeechResult;
}

/** The result of a completed item. */
export async function readKept(
  objects: AppDependencies['objects'],
  batch: StoredBatch,
  position: number,
): Promise<KeptResult> {
  const { id, organization_id: organizationId } = batch;
  const bytes = await objects.getBytes(batchResultKey(organizationId, { id, position }));
  const { requestId, attempt } = itemRequest(organizationId, id, position);
  const result = JSON.parse(bytes.toString()) as RecordingResult;
  const { task, model } = batch as { readonly task: SpeechTask; readonly model: FileModel };
  const request = { requestId, task, model };
  return { result, speech: toSpeechResult(request, { organizationId, attempt, result }) };
}
