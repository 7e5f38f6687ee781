// Predictions and artifacts of a job, read from storage while they are sent.
import { readItems } from '../../db/batch-items.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import type { BatchDependencies } from '../batches/dependencies.ts';
import { writeStoredResult } from '../batches/result-lines.ts';
import type { ZipEntry } from '../http/zip.ts';
import { archiveName } from '../results/archive-paths.ts';
import { failedHumePrediction, fileOf, type HumeAnswer } from '../results/hume-predictions.ts';
import { configOfBatch, sourceOf } from './job-view.ts';

type Stores = Pick<BatchDependencies, 'db' | 'objects' | 'resultWriter'>;

/** A JSON array, an element for each recording in the order of the request. */
export async function* predictionsOf(stores: Stores, batch: StoredBatch): AsyncGenerator<Buffer> {
  let separator = '[';
  for (const item of await readItems(stores.db, batch.id, { from: 0, to: batch.total })) {
    yield Buffer.from(separator);
    yield await predictionOf(stores, batch, item);
    separator = ',';
  }
  yield Buffer.from(']');
}

/** A folder for each recording: its predictions as JSON and as a table, and its own scores. */
export async function* artifactsOf(stores: Stores, batch: StoredBatch): AsyncGenerator<ZipEntry> {
  for (const item of await readItems(stores.db, batch.id, { from: 0, to: batch.total })) {
    const source = sourceOf(item);
    const folder = `${item.position + 1}-${archiveName(fileOf(source))}`;
    yield { name: `${folder}/predictions.json`, content: await predictionOf(stores, batch, item) };
    if (item.status !== 'completed') continue;
    const { position } = item;
    const table = { kind: 'hume', form: 'csv', answer: answerOf(batch, item) } as const;
    yield {
      name: `${folder}/prosody.csv`,
      content: await writeStoredResult(stores, batch, position, table),
    };
    const scores = { kind: 'export', format: 'csv', recording: folder, roles: [] } as const;
    yield {
      name: `${folder}/native.csv`,
      content: await writeStoredResult(stores, batch, position, scores),
    };
  }
}

async function predictionOf(stores: Stores, batch: StoredBatch, item: BatchItem): Promise<Buffer> {
  const { position, status, error } = item;
  if (status === 'completed') {
    const wanted = { kind: 'hume', form: 'json', answer: answerOf(batch, item) } as const;
    return writeStoredResult(stores, batch, position, wanted);
  }
  const reason = error?.message ?? `The recording was not analysed; its status is ${status}.`;
  return Buffer.from(JSON.stringify(failedHumePrediction(sourceOf(item), reason)));
}

function answerOf(batch: StoredBatch, item: BatchItem): HumeAnswer {
  return { ...configOfBatch(batch), source: sourceOf(item) };
}
