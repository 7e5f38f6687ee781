// Faults that kill processes: at every step of a request's life, at random under impatient clients,
// and in turn under a batch.
import { longCall } from '../bench/recordings.ts';
import { beyondClip, speech, toWav } from '../support/speech.ts';
import { bulkUnderFaults } from './bulk.ts';
import { crashPoints, type CrashPoint } from './crash-points.ts';
import { crashAt } from './crash.ts';
import type { FaultOptions, FaultOutcome } from './fault.ts';
import { impatientClients } from './impatient-clients.ts';

/** Crash points run concurrently, because most of their time is waiting for a timeout. */
const sideBySide = 3;
/** Both batches fit into ten minutes of two busy cores; every 18th recording is broken. */
const bulkItems = 270;

export async function everyCrashPoint(): Promise<FaultOutcome> {
  const recordings = {
    clip: toWav(await speech('Please call me back tomorrow morning.')),
    call: toWav(beyondClip(await longCall(1))),
  };
  const queue: CrashPoint[] = [...crashPoints];
  const figures: string[] = [];
  const found: string[] = [];
  const work = async (): Promise<void> => {
    for (let point = queue.shift(); point; point = queue.shift()) {
      const { answers, seconds, broken } = await crashAt(point, recordings[point.recording]);
      const where = `${point.process} dies between ${point.between} (${point.file})`;
      figures.push(`${where}: ${answers.join(', ')}; ${seconds.toFixed(1)} s`);
      found.push(...broken.map((invariant) => `${where}: ${invariant}`));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return { figures, broken: found };
}

export async function clientsUnderKills({ seed }: FaultOptions): Promise<FaultOutcome> {
  const { requests, answered, lost, debits, broken } = await impatientClients(seed);
  const counts = `${requests} requests, ${answered} answered, ${debits} debits`;
  return { figures: [`${counts}, ${lost} answers lost to callers that were cut off`], broken };
}

export async function bulk({ services, seed }: FaultOptions): Promise<FaultOutcome> {
  const outcome = await bulkUnderFaults({ services, seed, items: bulkItems });
  const { undisturbedSeconds, disturbedSeconds, faults, counts, broken } = outcome;
  const times = `${undisturbedSeconds.toFixed(0)} s alone, ${disturbedSeconds.toFixed(0)} s with`;
  return { figures: [`${times} ${faults.join(', ')}; ${JSON.stringify(counts)}`], broken };
}
