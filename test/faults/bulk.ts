// A batch of many recordings, once undisturbed and once while every process is killed in turn: each
// item ends once, the counts add up, and the results are the same.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import type { ServerName, TestServices } from '../runner/services.ts';
import type { BatchBody } from '../../api/batches/schemas.ts';
import type { BatchResultBody } from '../../api/results/line-schemas.ts';
import { readResults, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { mixedRecordings } from '../support/mixed-recordings.ts';
import { createRandom, shuffled } from '../support/random.ts';
import { beyondClip, toWav } from '../support/speech.ts';
import { testStack, untilReady, type ApiProcess, type TestStack } from '../support/stack.ts';
import { brokenInvariants } from './ledger-check.ts';

/** Between two faults, at least and at most. */
const pauseMs = { min: 3_000, max: 8_000 };

export interface BulkOutcome {
  readonly undisturbedSeconds: number;
  readonly disturbedSeconds: number;
  readonly faults: readonly string[];
  readonly counts: BatchBody['request_counts'];
  readonly broken: readonly string[];
}

export interface BulkOptions {
  readonly services: TestServices;
  /** Decides on the order of the faults and the pauses between them. */
  readonly seed: number;
  /** Recordings of each batch. */
  readonly items: number;
}

export async function bulkUnderFaults(options: BulkOptions): Promise<BulkOutcome> {
  const { services, seed, items } = options;
  const cleanup = collectCleanup();
  try {
    const stack = await testStack(cleanup, {
      ...{ patient: false, worker: false, allowanceSeconds: 3_600_000 },
    });
    const killed = { worker: await stack.startWorker(), api: await stack.startApi() };
    await untilReady(stack);
    const mixed = await mixedRecordings();
    const [first] = mixed;
    const call = beyondClip(first!.pcm!);
    const recordings = [...mixed, { file: toWav(call), pcm: call }];
    const ids = await Promise.all(recordings.map(({ file }) => uploadFile(stack, file)));
    const order = Array.from({ length: items }, (_, i) => ids[i % ids.length]!);
    const invalid = order.filter((_, i) => recordings[i % recordings.length]!.pcm === null).length;
    const random = createRandom(seed);
    const undisturbed = await runBatch(stack, order, async () => {});
    const faults: string[] = [];
    const disturbed = await runBatch(stack, order, async (over) => {
      for (const [name, fault] of shuffled(faultsOf(services, stack, killed), random)) {
        await sleep(pauseMs.min + random() * (pauseMs.max - pauseMs.min));
        if (over()) return;
        faults.push(name);
        await fault();
      }
    });
    const counts = disturbed.batch.request_counts;
    const found = [...(await brokenInvariants(stack))];
    // One of the recordings is broken, and no other may fail.
    if (counts.completed !== items - invalid || counts.failed !== invalid) {
      found.push(`${JSON.stringify(counts)}, ${invalid} are invalid: ${disturbed.codes}`);
    }
    const differing = undisturbed.results.filter((line, i) => line !== disturbed.results[i]).length;
    if (differing > 0) found.push(`${differing} results differ from the undisturbed run`);
    if (disturbed.results.length !== items) found.push(`${disturbed.results.length} results`);
    const { seconds: undisturbedSeconds } = undisturbed;
    const { seconds: disturbedSeconds } = disturbed;
    return { undisturbedSeconds, disturbedSeconds, faults, counts, broken: found };
  } finally {
    await cleanup.finish();
  }
}

interface FinishedBatch {
  readonly batch: BatchBody;
  readonly seconds: number;
  /** A hash of each line without the values that are new in every run. */
  readonly results: readonly string[];
  /** How often each code was the error of an item, in words. */
  readonly codes: string;
}

async function runBatch(
  stack: TestStack,
  ids: readonly string[],
  disturb: (over: () => boolean) => Promise<void>,
): Promise<FinishedBatch> {
  const startedAt = performance.now();
  const { id } = await startBatch(stack, ids, { task: 'analysis' });
  let over = false;
  const nemesis = disturb(() => over);
  const batch = await untilBatch(stack, id, (each) => each.completed_at !== null);
  const seconds = (performance.now() - startedAt) / 1_000;
  over = true;
  await nemesis;
  const lines = await readResults(stack, id);
  return { batch, seconds, results: lines.map(hashOf), codes: codesOf(lines) };
}

function codesOf(lines: readonly BatchResultBody[]): string {
  const counts = new Map<string, number>();
  for (const { error } of lines) {
    if (error) counts.set(error.code, (counts.get(error.code) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => `${code} x ${count}`).join(', ');
}

function hashOf({ custom_id: name, status, result, error }: BatchResultBody): string {
  const rest = result && { ...result, id: '' };
  return createHash('sha256')
    .update(JSON.stringify([name, status, rest, error]))
    .digest('hex');
}

interface Killed {
  worker: ChildProcess;
  api: ApiProcess;
}

/** Every process in turn, and each server once. */
function faultsOf(
  services: TestServices,
  stack: TestStack,
  killed: Killed,
): readonly (readonly [string, () => Promise<void>])[] {
  const server = (name: ServerName): readonly [string, () => Promise<void>] => [
    `${name} killed`,
    async () => services.kill(name),
  ];
  return [
    ['inference process killed', async () => killChild(killed.worker, 'inference/child')],
    ['decoder killed', async () => killChild(killed.worker, 'decoder/child')],
    [
      'worker killed',
      async () => {
        killed.worker.kill('SIGKILL');
        killed.worker = await stack.startWorker();
      },
    ],
    [
      'API killed',
      async () => {
        killed.api.child.kill('SIGKILL');
        killed.api = await stack.startApi();
      },
    ],
    server('PostgreSQL'),
    server('Temporal'),
    server('S3 gateway'),
    ['inference process killed', async () => killChild(killed.worker, 'inference/child')],
  ];
}

/** Kills Node itself: in a sandbox the first process is not the program. */
function killChild({ pid }: ChildProcess, program: string): void {
  const childOf = (parent: string, ...filter: readonly string[]): string => {
    const { stdout } = spawnSync('pgrep', ['-P', parent, ...filter], { encoding: 'utf8' });
    return stdout.split('\n')[0]!;
  };
  let victim = childOf(String(pid), '-f', program);
  if (victim === '') throw new Error(`the worker has no ${program}`);
  for (let inner = victim; inner !== ''; inner = childOf(inner)) victim = inner;
  process.kill(Number(victim), 'SIGKILL');
}
