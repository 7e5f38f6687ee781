// Results of a batch in the formats of other programs: one, or all of them in an archive.
import type { Readable } from 'node:stream';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { speakersOf } from '../../db/recordings.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import type { ExportFormat } from '../../models/exports/formats.ts';
import { readAhead } from '../../models/concurrency/read-ahead.ts';
import { streamInPace } from '../http/answer-pace.ts';
import { zipArchive, type ZipEntry } from '../http/zip.ts';
import { archivePaths } from '../results/archive-paths.ts';
import { optionsOf } from './batch-options.ts';
import { endedItems, readsAhead, writeStoredResult } from './result-lines.ts';
import type { BatchDependencies } from './dependencies.ts';

type Stores = Pick<BatchDependencies, 'db' | 'objects' | 'resultWriter'>;

/** The result of a completed item; names that were given to its speakers replace their roles. */
export async function exportedItem(
  stores: Stores,
  batch: StoredBatch,
  { position, customId }: Pick<BatchItem, 'position' | 'customId'>,
  format: ExportFormat,
): Promise<Buffer> {
  const names = (await speakersOf(stores.db, batch.id, position)) ?? [];
  const roles = names.length > 0 ? names : optionsOf(batch).channelRoles;
  const wanted = { kind: 'export', format, recording: customId, roles } as const;
  return writeStoredResult(stores, batch, position, wanted);
}

/** A ZIP archive of the results there are, written while it is sent: a few are in memory. */
export function exportedBatch(
  stores: Stores,
  batch: StoredBatch,
  format: ExportFormat,
): Promise<Readable> {
  return streamInPace(batch.organizationId, zipArchive(documents(stores, batch, format)));
}

function documents(
  stores: Stores,
  batch: StoredBatch,
  format: ExportFormat,
): AsyncIterable<ZipEntry> {
  const pathOf = archivePaths(format);
  return readAhead(endedItems(stores, batch, 'completed'), readsAhead, async (item) => {
    // Before any wait: the path of an item depends on those before it.
    const name = pathOf(item);
    return { name, content: await exportedItem(stores, batch, item, format) };
  });
}
