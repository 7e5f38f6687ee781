// A share of a core for the processes of a machine, by the control groups of either version.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
const periodMicroseconds = 100_000;
/** The second version has one hierarchy, the first one a hierarchy for each kind of limit. */
const isSecond = existsSync(join(root, 'cgroup.controllers'));
const limitRoot = isSecond ? root : join(root, 'cpu');
const usageRoot = isSecond ? root : join(root, 'cpuacct');
/** The names of runs start with it. */
export const runPrefix = 'svc-cluster-';

export interface CpuLimit {
  /** What a process writes its number to. */
  readonly joins: readonly string[];
  /** Seconds of computing that its processes have taken, the ended ones included. */
  usedSeconds(): number;
}

/** Why the limit cannot be set here; null where it can. */
export function whyNoLimit(): string | null {
  if (isSecond) {
    const has = readFileSync(join(root, 'cgroup.controllers'), 'utf8').split(/\s+/);
    return has.includes('cpu') ? null : 'the control group has no cpu controller';
  }
  return [limitRoot, usageRoot].every((path) => existsSync(join(path, 'cgroup.procs')))
    ? null
    : 'there is no cpu hierarchy of control groups';
}

/** @param run names the groups of one run, so that they can be removed together */
export function limitCpu(run: string, name: string, cores: number): CpuLimit {
  const [limit, usage] = [limitRoot, usageRoot].map((path) => join(path, run, name));
  for (const path of [limit!, usage!]) mkdirSync(path, { recursive: true });
  const quota = Math.round(cores * periodMicroseconds);
  if (isSecond) {
    for (const path of [root, join(root, run)]) {
      writeFileSync(join(path, 'cgroup.subtree_control'), '+cpu');
    }
    writeFileSync(join(limit!, 'cpu.max'), `${quota} ${periodMicroseconds}`);
  } else {
    writeFileSync(join(limit!, 'cpu.cfs_period_us'), String(periodMicroseconds));
    writeFileSync(join(limit!, 'cpu.cfs_quota_us'), String(quota));
  }
  return {
    joins: [...new Set([limit!, usage!])].map((path) => join(path, 'cgroup.procs')),
    usedSeconds: () => readUsage(usage!),
  };
}

function readUsage(folder: string): number {
  if (!isSecond) return Number(readFileSync(join(folder, 'cpuacct.usage'), 'utf8')) / 1e9;
  const [, microseconds = '0'] =
    /^usage_usec (\d+)$/m.exec(readFileSync(join(folder, 'cpu.stat'), 'utf8')) ?? [];
  return Number(microseconds) / 1e6;
}

/**
 * Removes the groups of a run, or of every run: those that were killed leave theirs.
 * @returns whether none is left; groups with processes stay
 */
export function removeLimits(run = runPrefix): boolean {
  let isEmpty = true;
  for (const path of new Set([limitRoot, usageRoot])) {
    for (const name of folders(path).filter((each) => each.startsWith(run))) {
      for (const group of folders(join(path, name))) removeGroup(join(path, name, group));
      isEmpty = removeGroup(join(path, name)) && isEmpty;
    }
  }
  return isEmpty;
}

function folders(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function removeGroup(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}
