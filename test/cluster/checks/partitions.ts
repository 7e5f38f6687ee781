// One machine of each role loses its way to the database, to storage and to Temporal in turn, and
// nobody tells it; the other machines still reach them.
import { setTimeout as sleep } from 'node:timers/promises';
import { together, type FaultOutcome } from '../../faults/fault.ts';
import { streamAnswer } from '../live-stream.ts';
import { heal, partition, type MachineName } from '../network.ts';
import type { RoleName } from '../roles.ts';
import { answeredBetween, openBatch, underLoad, untilAllReady } from '../under-load.ts';
import type { CheckOptions, Loaded, OpenBatch } from '../under-load.ts';

const items = 30;
const cutMs = 15_000;
const readySeconds = 30;
const cutOff: readonly RoleName[] = ['api-a', 'worker-a', 'stream'];
const servers = ['database', 'storage', 'temporal'] as const;

export async function partitions(options: CheckOptions): Promise<FaultOutcome> {
  let batch: OpenBatch;
  return underLoad(options, {
    async during(loaded) {
      batch = await openBatch(loaded.cluster, items);
      const outcomes: FaultOutcome[] = [];
      for (const server of servers) outcomes.push(await cutFrom(loaded, server));
      return together(outcomes);
    },
    afterwards: () => batch.end(),
  });
}

async function cutFrom(loaded: Loaded, server: MachineName): Promise<FaultOutcome> {
  const { cluster, history } = loaded;
  const { machines } = cluster;
  const from = history.now();
  for (const name of cutOff) partition(machines[name], machines[server]);
  await sleep(cutMs);
  const answered = answeredBetween(history, from, history.now());
  for (const name of cutOff) heal(machines[name], machines[server]);
  const back = await untilAllReady(loaded, cutOff, readySeconds);
  const stream = await streamAnswer(cluster);
  const what = `${cutOff.join(', ')} cut off from ${server} for ${cutMs / 1_000} s`;
  return {
    figures: [
      `${what}: ${answered} answered; ready again: ${back.figures.join()}; a stream: ${stream}`,
    ],
    broken: [
      ...back.broken,
      ...(answered > 0 ? [] : [`${what}: nobody was answered`]),
      ...(stream === 'final' ? [] : [`${what}: afterwards a stream ends with ${stream}`]),
    ],
  };
}
