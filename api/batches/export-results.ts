// Results of a batch in the formats of other programs: one, or all of them in an archive.
import type { Readable } from 'node:stream';
import { readItems } from '../../db/batch-items.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { speakersOf } from '../../db/recordings.ts';
import type { BatchItem } from '../../models/contract/batch-item.ts';
import type { ExportFormat } from '../../models/exports/formats.ts';
import { streamInPace } from '../http/answer-pace.ts';
import { zipArchive, type ZipEntry } from '../http/zip.ts';
import { optionsOf } from './batch-options.ts';
import { writeStoredResult } from './result-lines.ts';
import type { BatchDependencies } from './dependencies.ts';

type Stores = Pick<BatchDependencies, 'db' | 'objects' | 'resultWriter'>;

const stepItems = 50;

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

/** A ZIP archive of the results there are, written while it is sent: one is in memory at a time. */
export function exportedBatch(stores: Stores, batch: StoredBatch, format: ExportFormat): Readable {
  return streamInPace(batch.organizationId, zipArchive(documents(stores, batch, format)));
}

async function* documents(
  stores: Stores,
  batch: StoredBatch,
  format: ExportFormat,
): AsyncGenerator<ZipEntry> {
  const pathOf = archivePaths(format);
  for (let from = 0; from < batch.total; from += stepItems) {
    const range = { from, to: from + stepItems, status: 'completed' } as const;
    for (const item of await readItems(stores.db, batch.id, range)) {
      yield { name: pathOf(item), content: await exportedItem(stores, batch, item, format) };
    }
  }
}

/**
 * The paths of results in one archive, item by item: folders of the caller's name are kept, but
 * they lead nowhere else when they are unpacked. Those that only differ in case or in how accents
 * are composed are one file on macOS and Windows, so the later one also has its position.
 */
export function archivePaths(
  format: ExportFormat,
): (item: Pick<BatchItem, 'customId' | 'position'>) => string {
  const taken = new Set<string>();
  const ending = format === 'metrics' ? 'metrics.json' : format;
  return ({ customId, position }) => {
    const parts = customId
      .split(/[/\\]/)
      .map((part) => part.replaceAll(/[<>:"|?*]/g, '_').trim())
      .filter((part) => !/^\.*$/.test(part));
    let base = parts.join('/') || `item-${position}`;
    while (taken.has(folded(base))) base += `-${position}`;
    taken.add(folded(base));
    return `${base}.${ending}`;
  };
}

function folded(path: string): string {
  return path.normalize('NFC').toUpperCase();
}
