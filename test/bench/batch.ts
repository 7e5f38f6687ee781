// Ratio 8: clips as one batch against a bare loop over as many processes; and the effect on
// callers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { eachLimited } from '../../models/concurrency/each-limited.ts';
import { readResults, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import { mixedRecordings } from '../support/mixed-recordings.ts';
import { encode, speech, toWav } from '../support/speech.ts';
import { transcribe, type TestStack } from '../support/stack.ts';
import { bareLoop, words } from './end-to-end.ts';
import { measureRatio, quantile, type Ratio } from './ratio.ts';
import { longCall } from './recordings.ts';

const clipSamples = 32_000;
const sentences = [
  'Please hold the line for a moment.',
  'I would like to change my address.',
  'Thank you for calling, goodbye now.',
  'My number is four seven one nine.',
];

async function clips(): Promise<readonly Int16Array[]> {
  const spoken = await Promise.all(sentences.map((text) => speech(text)));
  return spoken.map((pcm) => {
    const clip = new Int16Array(clipSamples);
    clip.set(pcm.subarray(0, clipSamples));
    return clip;
  });
}

/** As the service asks for them: in the language that is heard, with second opinions. */
const asServed = { ...words, model: 'svc-resonance', language: null } as const;
/** Enough for each process to have as many chunks at once as it decodes together. */
const atOnce = 16;

/** The service's own inference, without anything around it. */
function sameInference(
  pool: InferencePool,
  recordings: readonly (Int16Array | null)[],
): Promise<void> {
  return eachLimited(recordings, atOnce * pool.size, async (pcm) => {
    if (pcm) await bareLoop(pool, pcm, () => asServed);
  });
}

/**
 * Ratio 8: so many clips of 2 s, from the request to the last result. The second row is what the
 * service adds to its own inference.
 */
export async function measureBatch(
  stack: TestStack,
  pool: InferencePool,
  { items, rounds }: { readonly items: number; readonly rounds: number },
): Promise<readonly Ratio[]> {
  const pcm = await clips();
  const files = await Promise.all(pcm.map((clip) => uploadFile(stack, toWav(clip))));
  const order = Array.from({ length: items }, (_, i) => i % files.length);
  const batch = async (): Promise<void> => {
    const ids = order.map((i) => files[i]!);
    const { id } = await startBatch(stack, ids);
    const { request_counts: counts } = await untilBatch(stack, id);
    if (counts.completed !== items) throw new Error(JSON.stringify(counts));
  };
  const name = `8: ${items} clips of 2 s as one batch`;
  const common = { rounds, warmUpRounds: 1, a: batch };
  return [
    await measureRatio({
      ...{ ...common, name: `${name} / bare loop`, gate: '<= 1.6' },
      b: () => eachLimited(order, pool.size, (i) => bareLoop(pool, pcm[i]!)),
    }),
    await measureRatio({
      ...{ ...common, name: `${name} / the same inference, many clips at once`, gate: '<= 1.1' },
      b: () => {
        return sameInference(
          pool,
          order.map((i) => pcm[i]!),
        );
      },
    }),
  ];
}

/** The same with recordings of every length and format. */
export async function measureMixedBatch(
  stack: TestStack,
  pool: InferencePool,
  { items, rounds }: { readonly items: number; readonly rounds: number },
): Promise<readonly Ratio[]> {
  const recordings = await mixedRecordings();
  const files = await Promise.all(recordings.map(({ file }) => uploadFile(stack, file)));
  const order = Array.from({ length: items }, (_, i) => i % files.length);
  const ids = order.map((i) => files[i]!);
  const pcm = order.map((i) => recordings[i]!.pcm);
  const batch = async (): Promise<void> => {
    const { id } = await startBatch(stack, ids);
    await untilBatch(stack, id);
  };
  const name = `8: ${items} recordings of 2 to 80 s, six formats`;
  const common = { rounds, warmUpRounds: 1, a: batch };
  return [
    await measureRatio({
      ...{ ...common, name: `${name} / bare loop`, gate: '<= 1.6' },
      b: () => {
        return eachLimited(pcm, pool.size, async (each) => {
          if (each) await bareLoop(pool, each);
        });
      },
    }),
    await measureRatio({
      ...{ ...common, name: `${name} / the same inference, many at once`, gate: '<= 1.05' },
      b: () => sameInference(pool, pcm),
    }),
  ];
}

/** The time of a caller's 2 s clip beside a full bulk queue, and without one. */
export async function measureCallers(
  stack: TestStack,
  pool: InferencePool,
  calls: number,
): Promise<readonly Ratio[]> {
  const [clip] = await clips();
  const file = toWav(clip!);
  const long = await encode(toWav(await longCall(10)), 'mp3', ['-b:a', '48k']);
  const id = await uploadFile(stack, long);
  const idle = await latencies(stack, file, calls);
  const batch = await startBatch(
    stack,
    Array.from({ length: 200 }, () => id),
    {
      task: 'analysis',
      options: { diarize: true },
    },
  );
  await sleep(10_000);
  const busy = await latencies(stack, file, calls);
  const headers = { Authorization: `Bearer ${stack.account.key}` };
  await fetch(`${stack.base}/v1/batches/${batch.id}/cancel`, { method: 'POST', headers });
  await untilBatch(stack, batch.id, (each) => each.cancelled_at !== null);
  await readResults(stack, batch.id);
  const chunkMs = await longestChunk(pool);
  const row = (share: number, gate: string, lessMs = 0): Ratio => {
    const [aMs, bMs] = [quantile(busy, share) - lessMs, quantile(idle, share)];
    const less = lessMs === 0 ? '' : ' less the longest chunk';
    const name = `2 s clip, p${share * 100}: full bulk queue${less} / idle`;
    return { name, aMs, bMs, ratio: aMs / bMs, gate, rounds: calls };
  };
  return [row(0.5, '-'), row(0.95, '-'), row(0.95, '<= 1.5', chunkMs)];
}

/** The longest that a process may be busy with one bulk job. */
async function longestChunk(pool: InferencePool): Promise<number> {
  const pcm = (await longCall(1)).slice(0, 28 * 16_000);
  const request = { ...words, head: 'svc-resonance' } as const;
  await pool.analyze(pcm, request, { organizationId: 'bench', priority: 1 });
  return (await pool.analyze(pcm, request, { organizationId: 'bench', priority: 1 })).inferenceMs;
}

async function latencies(stack: TestStack, file: Buffer, calls: number): Promise<number[]> {
  const taken: number[] = [];
  for (let call = -10; call < calls; call += 1) {
    const startedAt = performance.now();
    const { status, body } = await transcribe(stack, file);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    if (call >= 0) taken.push(performance.now() - startedAt);
    // Callers arrive one after the other, not in a closed loop.
    await sleep(100);
  }
  return taken;
}
