// The results of a batch, one line per ended item, read from storage while they are sent.
import type { Readable } from 'node:stream';
import { isOpen, itemRequest, readItems } from '../../db/batch-items.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { batchResultKey } from '../../db/object-keys.ts';
import { streamInPace } from '../http/answer-pace.ts';
import { optionsOf } from './batch-options.ts';
import { jsonLine } from '../results/json-line.ts';
import type { BatchResultBody } from '../results/line-schemas.ts';
import type { WantedText } from '../results/write-result.ts';
import type { BatchDependencies } from './dependencies.ts';

type Stores = Pick<BatchDependencies, 'db' | 'objects' | 'resultWriter'>;

/** Rows per query; an item may have nine kilobytes of metadata. */
export const stepItems = 50;
const readsAhead = 8;

/** JSON lines in the order of the items, without those that have not ended. */
export function resultLines(stores: Stores, batch: StoredBatch): Readable {
  return streamInPace(batch.organizationId, lines(stores, batch));
}

async function* lines(stores: Stores, batch: StoredBatch): AsyncGenerator<Buffer | string> {
  const { channelRoles } = optionsOf(batch);
  for (let from = 0; from < batch.total; from += stepItems) {
    const items = await readItems(stores.db, batch.id, { from, to: from + stepItems });
    const reads: Promise<Buffer | string>[] = [];
    for (const item of items.filter((each) => !isOpen(each))) {
      const read = lineOf(stores, batch, { item, channelRoles });
      // Awaited in order below; until then a failure must not count as unhandled.
      read.catch(() => {});
      reads.push(read);
      if (reads.length === readsAhead) yield await reads.shift()!;
    }
    for (const read of reads) yield await read;
  }
}

/** The outcome of an item that has ended. */
async function lineOf(
  stores: Stores,
  batch: StoredBatch,
  { item, channelRoles }: { readonly item: BatchItem; readonly channelRoles: readonly string[] },
): Promise<Buffer | string> {
  const { position, customId, status, metadata, error } = item;
  if (status === 'completed') {
    return writeStoredResult(stores, batch, position, { kind: 'line', item, channelRoles });
  }
  const line: BatchResultBody = {
    custom_id: customId,
    index: position,
    status: status as BatchResultBody['status'],
    result: null,
    channels: null,
    metrics: null,
    error,
    metadata,
  };
  return jsonLine(line);
}

/** @throws ServiceError not_found */
export function requireResult({ status }: Pick<BatchItem, 'status'>): void {
  if (status === 'completed') return;
  throw new ServiceError('not_found', `The item has no result; its status is ${status}.`);
}

/** The result of a completed item as text. */
export async function writeStoredResult(
  { objects, resultWriter }: Pick<Stores, 'objects' | 'resultWriter'>,
  batch: StoredBatch,
  position: number,
  wanted: WantedText,
): Promise<Buffer> {
  const { id, organizationId } = batch;
  const { task, model } = batch;
  const stored = await objects.getBytes(batchResultKey(organizationId, { id, position }));
  const origin = { ...itemRequest(organizationId, id, position), task, model };
  return resultWriter.write(stored, origin, wanted);
}
