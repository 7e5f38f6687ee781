// Ratio 9, and the cost of many streams: recordings that arrive in real time.
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { ChunkRequest, InferencePool } from '../../models/inference/jobs.ts';
import { openSocket } from '../support/sockets.ts';
import type { TestStack } from '../support/stack.ts';
import { bareLoop } from './end-to-end.ts';
import { compareTimes, milliseconds, quantile, type Ratio } from './ratio.ts';
import { longCall } from './recordings.ts';

const frameMs = 100;
const start = { type: 'start', model: 'svc-spectra-2', task: 'analysis' };

/** Ratio 9: from `finish` to the final message of a 30 s stream / a direct call on the clip. */
export async function measureStream(
  stack: TestStack,
  pool: InferencePool,
  rounds: number,
): Promise<Ratio> {
  const pcm = (await longCall(1)).slice(0, 30 * sampleRate);
  return compareTimes({
    name: '9: finish of a 30 s stream / direct call',
    gate: '<= 0.15',
    rounds,
    warmUpRounds: 1,
    a: () => finishMs(stack, pcm),
    b: () => milliseconds(() => bareLoop(pool, pcm, spectraRequest)),
  });
}

export interface ManyStreams {
  readonly streams: number;
  readonly finishP50Ms: number;
  readonly finishP95Ms: number;
}

/** So many 15 s recordings at once, each at its own pace, started shortly after each other. */
export async function measureManyStreams(stack: TestStack, streams: number): Promise<ManyStreams> {
  const call = await longCall(1);
  const times = await Promise.all(
    Array.from({ length: streams }, async (_, i) => {
      await sleep(i * 150);
      const from = (i % 20) * sampleRate;
      return finishMs(stack, call.slice(from, from + 15 * sampleRate));
    }),
  );
  return { streams, finishP50Ms: quantile(times, 0.5), finishP95Ms: quantile(times, 0.95) };
}

async function finishMs({ base, account }: TestStack, pcm: Int16Array): Promise<number> {
  const protocols = ['svc.spectra2.v1'];
  const stream = openSocket(base, '/v1/audio/spectra-2/stream', { protocols, key: account.key });
  stream.socket.once('open', () => stream.send(start));
  await stream.message('ready');
  const bytes = new Uint8Array(pcm.buffer);
  const frameBytes = (sampleRate * 2 * frameMs) / 1_000;
  const startedAt = performance.now();
  for (let at = 0; at < bytes.length; at += frameBytes) {
    await sleep(Math.max(0, startedAt + (at / frameBytes) * frameMs - performance.now()));
    stream.send(bytes.subarray(at, at + frameBytes));
  }
  const finishedAt = performance.now();
  stream.send({ type: 'finish' });
  const { code, messages } = await stream.ended;
  if (code !== 1000) throw new Error(`${code} ${JSON.stringify(messages.at(-1))}`);
  return performance.now() - finishedAt;
}

/** The chunk as Spectra-2 analyses it: text, and scores of the whole chunk. */
function spectraRequest(seconds: number): ChunkRequest {
  const spans = [{ start: 0, end: seconds }];
  return { words: false, language: 'en', text: true, head: 'svc-spectra-2', spans };
}
