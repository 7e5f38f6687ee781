// Proportional set sizes of a process and its descendants (Linux): memory that several processes
// share is divided among them, so that their sum counts it once.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface ProcessMemory {
  readonly pid: number;
  /** Script or program, without its folder: `child.ts` of a folder is that folder's. */
  readonly name: string;
  readonly pssMiB: number;
  /** Of no file, and so of this process alone. */
  readonly anonymousMiB: number;
}

/** In the order of the tree, without what ends meanwhile. */
export function memoryOfTree(root: number): readonly ProcessMemory[] {
  return treeOf(root).flatMap((pid) => {
    try {
      return [{ pid, name: nameOf(pid), ...sizesOf(pid) }];
    } catch {
      return [];
    }
  });
}

export function totalMiB(processes: readonly ProcessMemory[]): number {
  return processes.reduce((sum, process) => sum + process.pssMiB, 0);
}

/** Sums by name, the largest first: `3 x inference 420 MiB`. */
export function summary(processes: readonly ProcessMemory[]): string {
  const byName = Map.groupBy(processes, ({ name }) => name);
  return [...byName]
    .map(([name, same]) => ({ name, count: same.length, sum: totalMiB(same) }))
    .toSorted((a, b) => b.sum - a.sum)
    .map(({ name, count, sum }) => `${count} x ${name} ${sum.toFixed(0)}`)
    .join(', ');
}

function treeOf(pid: number): readonly number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
  } catch {
    return [];
  }
}

function sizesOf(pid: number): Pick<ProcessMemory, 'pssMiB' | 'anonymousMiB'> {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const [, pss = 0] = /^Pss:\s+(\d+) kB/m.exec(rollup) ?? [];
  const [, anonymous = 0] = /^Anonymous:\s+(\d+) kB/m.exec(rollup) ?? [];
  return { pssMiB: Number(pss) / 1_024, anonymousMiB: Number(anonymous) / 1_024 };
}

function nameOf(pid: number): string {
  const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const script = args.find((arg) => /\.m?[jt]s$/.test(arg));
  const isOfNode = basename(program).startsWith('node');
  if (!isOfNode || script === undefined) return basename(program.split(':')[0] ?? '');
  const [folder = '', file = ''] = script.split('/').slice(-2);
  return file === 'child.ts' ? folder : file;
}
