// Resources of a process: memory, descriptors and children, compared before and after a fault.
import { readdirSync, readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';

export interface Held {
  readonly residentMiB: number;
  /** The largest that it has been since the process started. */
  readonly peakMiB: number;
  readonly descriptors: number;
  readonly children: number;
}

/** From proc(5). */
export function heldBy({ pid }: Pick<ChildProcess, 'pid'>): Held {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return {
    residentMiB: mebibytes('VmRSS'),
    peakMiB: mebibytes('VmHWM'),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    children: children === '' ? 0 : children.split(' ').length,
  };
}

/** Connections are pooled: a pool that was small before may have its full size now. */
const pooledDescriptors = 120;
const maxGrownMiB = 150;

/**
 * Memory is compared with the largest that the process had before. A worker bundles its workflows
 * as it starts, at 490 MiB, and V8 gives most of that back if the machine leaves it the time: it
 * then has 350 MiB at the end of the baseline, and reaches 520 within minutes of any load, where it
 * stays over thousands of recordings. What it has at that moment says nothing.
 * @returns what grew beyond pools and caches, in words
 */
export function grownBeyond(name: string, before: Held, after: Held): readonly string[] {
  const broken: string[] = [];
  const grownMiB = after.residentMiB - before.peakMiB;
  if (grownMiB > maxGrownMiB) broken.push(`${name} has grown by ${grownMiB.toFixed(0)} MiB`);
  if (after.descriptors > before.descriptors + pooledDescriptors) {
    broken.push(`${name} holds ${after.descriptors} descriptors, before ${before.descriptors}`);
  }
  // A decoder that has computed for long is not kept for its organization's next file.
  if (after.children > before.children) {
    broken.push(`${name} has ${after.children} children, before ${before.children}`);
  }
  return broken;
}

/** Memory before, at its largest, and after, for the report. */
export function memoryOf(name: string, before: Held, after: Held): string {
  const [was, peak, is] = [before.residentMiB, before.peakMiB, after.residentMiB].map((mebibytes) =>
    mebibytes.toFixed(0),
  );
  return `${name} ${was} MiB (${peak} at most) before, ${is} after`;
}
