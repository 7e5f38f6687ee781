// Ratio 4: who speaks when in 10 minutes, beside sherpa-onnx with the same embedding model.
import { findTurns } from '../../activities/diarize.ts';
import { createInferencePool } from '../../models/inference/pool.ts';
import { startSherpa } from '../sherpa/sherpa.ts';
import { testServers } from '../support/environment.ts';
import { median, type Ratio } from './ratio.ts';
import { longCall } from './recordings.ts';

/** One inference process with one thread / sherpa-onnx with one thread. */
export async function measureDiarization(rounds: number): Promise<Ratio> {
  const pcm = await longCall(10);
  const pool = createInferencePool({ ...testServers(), processes: 1 });
  const sherpa = await startSherpa();
  try {
    await pool.ready();
    const pairs: { a: number; b: number }[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const startedAt = performance.now();
      await findTurns(pool, {
        samples: pcm.length,
        numSpeakers: null,
        read: async ({ startSample, endSample }) => pcm.slice(startSample, endSample),
        job: { priority: 1 },
      });
      const a = performance.now() - startedAt;
      const { milliseconds: b } = await sherpa.diarize(pcm, null);
      if (round >= 0) pairs.push({ a, b });
    }
    return {
      name: '4: who speaks when in 10 min / sherpa-onnx',
      aMs: median(pairs.map(({ a }) => a)),
      bMs: median(pairs.map(({ b }) => b)),
      ratio: median(pairs.map(({ a, b }) => a / b)),
      gate: '<= 0.6',
      rounds,
    };
  } finally {
    await Promise.all([pool.close(), sherpa.close()]);
  }
}
