// Resources of a process: memory, descriptors and children, compared before and after a fault.
import { readdirSync, readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';

export interface Held {
  readonly residentMiB: number;
  readonly descriptors: number;
  readonly children: number;
}

/** From proc(5). */
export function heldBy({ pid }: Pick<ChildProcess, 'pid'>): Held {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const residentKiB = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return {
    residentMiB: residentKiB / 1_024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    children: children === '' ? 0 : children.split(' ').length,
  };
}

/** Connections are pooled: a pool that was small before may have its full size now. */
const pooledDescriptors = 120;
const maxGrownMiB = 150;

/** @returns what grew beyond pools and caches, in words */
export function grownBeyond(name: string, before: Held, after: Held): readonly string[] {
  const broken: string[] = [];
  const grownMiB = after.residentMiB - before.residentMiB;
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
