// The results of a batch, one line per ended item, read from storage while they are sent.
import type { Readable } from 'node:stream';
import { isOpen, itemRequest, readItems } from '../../db/batch-items.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { requireUndeleted } from './lists.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { batchResultKey } from '../../db/object-keys.ts';
import { readAhead } from '../../models/concurrency/read-ahead.ts';
import { streamInPace } from '../http/answer-pace.ts';
import { optionsOf } from './batch-options.ts';
import { jsonLine } from '../results/json-line.ts';
import type { BatchResultBody } from '../results/line-schemas.ts';
import type { WantedText } from '../results/write-result.ts';
import type { BatchDependencies } from './dependencies.ts';

type Stores = Pick<BatchDependencies, 'db' | 'objects' | 'resultWriter'>;

/** Rows per query; an item may have nine kilobytes of metadata. */
const stepItems = 50;
/** Results of a batch that one caller has read at once. */
export const readsAhead = 8;

/** JSON lines in the order of the items, without those that have not ended. */
export function resultLines(stores: Stores, batch: StoredBatch): Promise<Readable> {
  return streamInPace(batch.organizationId, lines(stores, batch));
}

function lines(stores: Stores, batch: StoredBatch): AsyncIterable<Buffer | string> {
  const { channelRoles } = optionsOf(batch);
  return readAhead(endedItems(stores, batch), readsAhead, (item) =>
    lineOf(stores, batch, { item, channelRoles }),
  );
}

/**
 * In order, and of those alone that have the status if one is given.
 * @throws ServiceError not_found when the batch was deleted meanwhile: what is left would look
 * complete
 */
export async function* endedItems(
  { db }: Pick<Stores, 'db'>,
  batch: StoredBatch,
  status?: BatchItem['status'],
): AsyncGenerator<BatchItem> {
  for (let from = 0; from < batch.total; from += stepItems) {
    const range = { from, to: from + stepItems, ...(status && { status }) };
    for (const item of await readItems(db, batch.id, range)) if (!isOpen(item)) yield item;
  }
  await requireUndeleted(db, batch.id);
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
