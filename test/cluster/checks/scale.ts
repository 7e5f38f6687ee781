// A batch on one worker machine, on two, and on one again: what the second one adds.
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, startBatch, untilBatch, uploadFile } from '../../support/batches.ts';
import { anAccount } from '../../support/database.ts';
import type { FaultOutcome } from '../../faults/fault.ts';
import { workerCores, type Cluster } from '../cluster.ts';
import { metricsPort, type RoleName } from '../roles.ts';
import { allowanceSeconds, tenSeconds, type CheckOptions } from '../under-load.ts';

const items = 2_000;
const windowMs = 25_000;
const settleMs = 5_000;
const wanted = 1.8;
/** With less of its time idle, the real machine gave the workers less than their share. */
const minIdle = 0.05;

interface Pace {
  /** Seconds of audio that a second has analysed. */
  readonly audio: number;
  /** Cores that the workers had. */
  readonly cores: number;
  /** Share of the real machine's time, 0-1. */
  readonly idle: number;
}

export async function scale({ cluster }: CheckOptions): Promise<FaultOutcome> {
  const account = await anAccount(cluster.db, { allowanceSeconds });
  const service = { base: cluster.base, account };
  const file = await uploadFile(service, await tenSeconds());
  const { id } = await startBatch(service, Array<string>(items).fill(file));
  const [one, two] = [['worker-a'] as const, ['worker-a', 'worker-b'] as const];
  await cluster.stop('worker-b');
  const before = await measure(cluster, one);
  await cluster.start('worker-b');
  const both = await measure(cluster, two);
  await cluster.stop('worker-b');
  const after = await measure(cluster, one);
  await cluster.start('worker-b');
  await call(service, `/v1/batches/${id}/cancel`, { method: 'POST' });
  await untilBatch(service, id, ({ status }) => status === 'cancelled');
  for (const path of [`/v1/batches/${id}`, `/v1/files/${file}`]) {
    await call(service, path, { method: 'DELETE' });
  }
  return judge(before, both, after);
}

function judge(before: Pace, both: Pace, after: Pace): FaultOutcome {
  const single = (before.audio + after.audio) / 2;
  const singleCores = (before.cores + after.cores) / 2;
  const ratio = both.audio / single;
  const perCore = { single: single / singleCores, both: both.audio / both.cores };
  // Beside other work a core second of two machines has to do what it does of one.
  const isShort = both.idle < minIdle && both.cores < 2 * singleCores;
  const fair = isShort ? (2 * perCore.both) / perCore.single : ratio;
  const figures = [
    `one machine ${before.audio.toFixed(1)} and ${after.audio.toFixed(1)} s of audio a second ` +
      `with ${singleCores.toFixed(2)} cores, two ${both.audio.toFixed(1)} with ` +
      `${both.cores.toFixed(2)} of ${2 * workerCores} cores: x ${ratio.toFixed(2)}`,
    `per core second ${perCore.single.toFixed(1)} s of audio and ${perCore.both.toFixed(1)}; ` +
      `${Math.round(100 * both.idle)} % of the real machine were idle`,
  ];
  const whose = isShort ? 'with the computing time of two machines, ' : '';
  const broken =
    fair >= wanted ? [] : [`${whose}two machines do x ${fair.toFixed(2)}, not ${wanted}`];
  return { figures, broken };
}

/** From one finished recording to another, because each counts as a whole. */
async function measure(cluster: Cluster, names: readonly RoleName[]): Promise<Pace> {
  await sleep(settleMs);
  const cores = (): number => names.reduce((sum, name) => sum + cluster.cpuSeconds(name), 0);
  const began = { at: performance.now(), used: cores(), machine: machineTimes() };
  let first: Seen | null = null;
  let last: Seen = { at: began.at, audio: await audioSeconds(cluster, names) };
  while (performance.now() - began.at < windowMs) {
    await sleep(50);
    const audio = await audioSeconds(cluster, names);
    if (audio === last.audio) continue;
    last = { at: performance.now(), audio };
    first ??= last;
  }
  const used = cores() - began.used;
  const took = (performance.now() - began.at) / 1_000;
  const measured = first && last.at > first.at ? { first, last } : null;
  if (!measured) throw new Error('no recording was finished in the window');
  const { audio, at } = measured.first;
  const ended = machineTimes();
  const idle = (ended.idle - began.machine.idle) / (ended.all - began.machine.all);
  return { audio: ((last.audio - audio) * 1_000) / (last.at - at), cores: used / took, idle };
}

/** Of all cores since the start of the real machine, in milliseconds. */
function machineTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((core) => core.times);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  return {
    idle: sum(times.map(({ idle }) => idle)),
    all: sum(times.flatMap((each) => Object.values(each))),
  };
}

interface Seen {
  readonly at: number;
  readonly audio: number;
}

/** The sum of the workers' counters. */
async function audioSeconds(cluster: Cluster, names: readonly RoleName[]): Promise<number> {
  const counts = await Promise.all(
    names.map(async (name) => {
      const url = `http://${cluster.machines[name].address}:${metricsPort}/metrics`;
      const text = await (await fetch(url)).text();
      const lines = text.matchAll(/^svc_audio_seconds_total\{[^}]*lane="bulk"[^}]*\} (\S+)$/gm);
      return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
