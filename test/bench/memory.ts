// Ratio 7: peak resident memory of the worker and its processes on a long file / on a short one,
// with everything that a request can ask for.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { encode, toWav } from '../support/speech.ts';
import { postFile, type TestStack } from '../support/stack.ts';
import { longCall } from './recordings.ts';

export interface MemoryFigures {
  readonly shortMiB: number;
  readonly longMiB: number;
  readonly ratio: number;
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
    longSeconds: second.seconds,
    slowestReadyMs: second.slowestReadyMs,
  };
}

async function peakDuring(stack: TestStack, pid: number, file: Buffer) {
  let peakMiB = 0;
  let slowestReadyMs = 0;
  const watch = setInterval(() => {
    peakMiB = Math.max(peakMiB, treeMiB(pid));
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
  return { peakMiB, slowestReadyMs, seconds: (performance.now() - startedAt) / 1_000 };
}

function treeMiB(pid: number): number {
  const children = execFileSync('pgrep', ['-P', String(pid)])
    .toString()
    .trim()
    .split('\n');
  return [String(pid), ...children].reduce((sum, id) => {
    try {
      const pages = Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]);
      return sum + (pages * 4_096) / 2 ** 20;
    } catch {
      return sum;
    }
  }, 0);
}
