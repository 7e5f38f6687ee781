// One machine of each role loses its way to the database, to storage and to Temporal in turn, and
// nobody tells it; the other machines still reach them.
import { setTimeout as sleep } from 'node:timers/promises';
import { together, type FaultOutcome } from '../../faults/fault.ts';
import { until } from '../../support/until.ts';
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
    async afterwards({ cluster: { db, objects } }) {
      const ended = await batch.end();
      const [late, keys, rows] = await Promise.all([
        db.selectFrom('lateWrites').select('key').execute(),
        objects.list(''),
        db.selectFrom('objects').select('key').execute(),
      ]);
      const arrived = late.filter(
        ({ key }) =>
          keys.some((each) => each.startsWith(key)) && !rows.some((row) => row.key === key),
      );
      const figure = `${late.length} writes may arrive late, ${arrived.length} have arrived since`;
      return together([ended, { figures: [figure], broken: [] }]);
    },
  });
}

async function cutFrom(loaded: Loaded, server: MachineName): Promise<FaultOutcome> {
  const { cluster, history } = loaded;
  const { machines } = cluster;
  const from = history.now();
  for (const name of cutOff) partition(machines[name], machines[server]);
  await sleep(cutMs);
  // Somebody is served while it lasts, however slow the machine is.
  const answered = await until(() => answeredBetween(history, from, history.now()));
  const lasted = history.now() - from;
  for (const name of cutOff) heal(machines[name], machines[server]);
  const back = await untilAllReady(loaded, cutOff, readySeconds);
  const streams = await untilStream(cluster);
  const cut = `${cutOff.join(', ')} cut off from ${server} for ${(lasted / 1_000).toFixed(0)} s`;
  return {
    figures: [
      `${cut}: ${answered} answered; ready again: ${back.figures.join()}; streams: ${streams}`,
    ],
    broken: [
      ...back.broken,
      ...(streams.endsWith('final') ? [] : [`afterwards a stream ends with ${streams}`]),
    ],
  };
}

/** A caller who is told that the service is not ready tries again. @returns how each ended */
async function untilStream(cluster: Loaded['cluster']): Promise<string> {
  const ended: string[] = [];
  await until(
    async () => {
      ended.push(await streamAnswer(cluster));
      return ended.at(-1)!;
    },
    (word) => !word.includes('not_ready'),
  );
  return ended.join(', ');
}
