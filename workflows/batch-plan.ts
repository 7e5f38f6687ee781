// Groups the items of a batch into work: small ones together, large ones one by one; pure.
import type { Container } from '../models/contract/containers.ts';

/** What is known of an item before it is decoded. */
export interface ItemSize {
  readonly position: number;
  readonly container: Container;
  readonly bytes: number;
}

/** A group of one or more clips, or a recording of its own. */
export interface ItemGroup {
  readonly kind: 'clips' | 'recording';
  readonly from: number;
  readonly to: number;
}

/**
 * A workflow costs some 50 ms, which is negligible when this many clips share it (docs/adr/0015).
 */
const maxGroupItems = 25;
/** All clips of a group are decoded in memory at once. */
const maxGroupBytes = 4_000_000;
/**
 * File sizes that are likely 30 s or less; a clip that turns out longer gets a workflow of its own.
 */
const maxClipBytes = { uncompressed: 1_000_000, compressed: 240_000 };

/** Groups in the order of the items; positions may have gaps, which no group spans. */
export function groupItems(items: readonly ItemSize[]): readonly ItemGroup[] {
  const groups: ItemGroup[] = [];
  let bytes = 0;
  for (const item of items) {
    const { position, bytes: size } = item;
    const last = groups.at(-1);
    const joins =
      last?.kind === 'clips' &&
      isClip(item) &&
      last.to === position &&
      position - last.from < maxGroupItems &&
      bytes + size <= maxGroupBytes;
    if (joins) {
      groups[groups.length - 1] = { ...last, to: position + 1 };
      bytes += size;
    } else {
      const kind = isClip(item) ? 'clips' : 'recording';
      groups.push({ kind, from: position, to: position + 1 });
      bytes = size;
    }
  }
  return groups;
}

function isClip({ container, bytes }: ItemSize): boolean {
  const uncompressed = container === 'wav' || container === 'flac';
  return bytes <= (uncompressed ? maxClipBytes.uncompressed : maxClipBytes.compressed);
}

/** The progress of a batch, for operators. */
export interface BatchProgress {
  readonly total: number;
  readonly done: number;
  readonly running: number;
  readonly stage: 'running' | 'draining' | 'cancelling' | 'ended';
}

/** The progress as Markdown, for the Temporal UI. */
export function batchTable({ total, done, running, stage }: BatchProgress): string {
  const rows = [
    ['items', total],
    ['done', done],
    ['work in progress', running],
  ];
  return [
    `**${stage}**`,
    '',
    '| | |',
    '|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}
