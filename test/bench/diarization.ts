// Ratio 4: diarization of 10 minutes, compared with sherpa-onnx with the same embedding model.
import { findTurns } from '../../models/analysis/speakers/find-turns.ts';
import { samplesInMemory } from '../../models/audio/samples.ts';
import { createInferencePool } from '../../models/inference/pool.ts';
import { startSherpa } from '../sherpa/sherpa.ts';
import { testServers } from '../support/environment.ts';
import { compareTimes, milliseconds, type Ratio } from './ratio.ts';
import { longCall } from './recordings.ts';

/** One inference process with one thread / sherpa-onnx with one thread. */
export async function measureDiarization(rounds: number): Promise<Ratio> {
  const pcm = await longCall(10);
  const pool = createInferencePool({ ...testServers(), processes: 1 });
  const sherpa = await startSherpa();
  try {
    await pool.ready();
    const finding = { samples: pcm.length, numSpeakers: null, read: samplesInMemory(pcm) };
    return await compareTimes({
      name: '4: who speaks when in 10 min / sherpa-onnx',
      gate: '<= 0.6',
      rounds,
      warmUpRounds: 1,
      a: () =>
        milliseconds(() =>
          findTurns(pool, { ...finding, job: { organizationId: 'bench', priority: 1 } }),
        ),
      b: async () => (await sherpa.diarize(pcm, null)).milliseconds,
    });
  } finally {
    await Promise.all([pool.close(), sherpa.close()]);
  }
}
