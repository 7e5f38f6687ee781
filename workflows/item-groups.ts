// Groups the items of a batch: small ones together, large ones one by one; pure.
import type { BatchItem } from '../models/contract/batch-item.ts';
import type { UploadedAudio } from '../models/contract/recording-request.ts';
import type { ClipGroup } from './types.ts';

/** What is known of an item before it is decoded. */
type PlannedItem = Pick<BatchItem, 'position' | 'upload'>;

/** A group of one or more clips, or a recording of its own. */
export type ItemGroup<T> = ClipGroup | { readonly kind: 'recording'; readonly item: T };

/**
 * A workflow costs some 50 ms, which is negligible when this many clips share it (docs/adr/0015).
 */
export const maxGroupItems = 25;
/**
 * File sizes that are likely two minutes or less. Where a low bit rate makes it more, a clip of a
 * batch may be that long; one that is even longer gets a workflow of its own.
 */
const maxClipBytes = { uncompressed: 3_000_000, compressed: 720_000 };
/**
 * All clips of a group are decoded in memory at once, those of telephone quality to four times
 * their bytes, compressed ones to three times as much as uncompressed ones. Silence and low bit
 * rates become more: what the activity has no memory for gets a workflow of its own.
 */
const maxGroupBytes = 6_000_000;
const compressedWeight = 3;

/** Groups in the order of the items; positions may have gaps, which no group spans. */
export function groupItems<T extends PlannedItem>(items: readonly T[]): readonly ItemGroup<T>[] {
  const groups: ItemGroup<T>[] = [];
  let bytes = 0;
  for (const item of items) {
    const { position } = item;
    const last = groups.at(-1);
    const itemBytes = weightOf(item);
    if (!isClip(item)) groups.push({ kind: 'recording', item });
    else if (
      last?.kind === 'clips' &&
      last.to === position &&
      position - last.from < maxGroupItems &&
      bytes + itemBytes <= maxGroupBytes
    ) {
      groups[groups.length - 1] = { ...last, to: position + 1 };
      bytes += itemBytes;
    } else {
      groups.push({ kind: 'clips', from: position, to: position + 1 });
      bytes = itemBytes;
    }
  }
  return groups;
}

/** What is still to be fetched may be of any size. */
function isClip({ upload }: PlannedItem): boolean {
  if (!('container' in upload)) return false;
  const { uncompressed, compressed } = maxClipBytes;
  return upload.bytes <= (isUncompressed(upload) ? uncompressed : compressed);
}

/** Its bytes as those of an uncompressed clip. */
function weightOf({ upload }: PlannedItem): number {
  if (!('container' in upload)) return 0;
  return upload.bytes * (isUncompressed(upload) ? 1 : compressedWeight);
}

function isUncompressed({ container }: Pick<UploadedAudio, 'container'>): boolean {
  return container === 'wav' || container === 'flac';
}

/** Position after the last item of a group. */
export function endOf(group: ItemGroup<PlannedItem>): number {
  return group.kind === 'clips' ? group.to : group.item.position + 1;
}
