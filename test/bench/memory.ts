// Ratio 7: peak proportional memory of the worker and all of its processes, decoders and inference
// in their sandboxes included, on a long file / on a short one, with everything that a request can
// ask for.
import { encode, toWav } from '../support/speech.ts';
import { postFile, type TestStack } from '../support/stack.ts';
import { memoryOfTree, summary, totalMiB, type ProcessMemory } from './process-memory.ts';
import { longCall } from './recordings.ts';

export interface MemoryFigures {
  readonly shortMiB: number;
  readonly longMiB: number;
  readonly ratio: number;
  /** Which processes have it at the peaks. */
  readonly shortParts: string;
  readonly longParts: string;
  /** Wall time of the long file's answer, and the slowest /readyz meanwhile. */
  readonly longSeconds: number;
  readonly slowestReadyMs: number;
}

export async function measureMemory(
  stack: TestStack,
  workerPid: number,
  longMinutes: number,
): Promise<MemoryFigures> {
  const short = await encode(toWav(await longCall(1)), 'mp3', ['-b:a', '48k']);
  const long = await encode(toWav(await longCall(longMinutes)), 'mp3', ['-b:a', '48k']);
  await peakDuring(stack, workerPid, short);
  const first = await peakDuring(stack, workerPid, short);
  const second = await peakDuring(stack, workerPid, long);
  return {
    shortMiB: first.peakMiB,
    longMiB: second.peakMiB,
    ratio: second.peakMiB / first.peakMiB,
    ...{ shortParts: first.parts, longParts: second.parts },
    longSeconds: second.seconds,
    slowestReadyMs: second.slowestReadyMs,
  };
}

async function peakDuring(stack: TestStack, pid: number, file: Buffer) {
  let atPeak: readonly ProcessMemory[] = [];
  let slowestReadyMs = 0;
  const watch = setInterval(() => {
    const now = memoryOfTree(pid);
    if (totalMiB(now) > totalMiB(atPeak)) atPeak = now;
    const askedAt = performance.now();
    void fetch(`${stack.base}/readyz`).then(() => {
      slowestReadyMs = Math.max(slowestReadyMs, performance.now() - askedAt);
    });
  }, 500);
  const startedAt = performance.now();
  const fields = { model: 'svc-resonance', diarize: 'true', include_logits: 'true' };
  const { status, body } = await postFile(stack, '/v1/audio/analysis', { file, fields });
  clearInterval(watch);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { peakMiB: totalMiB(atPeak), parts: summary(atPeak), slowestReadyMs, seconds };
}
