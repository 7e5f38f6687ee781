// The version before serves; this one migrates the database and takes over machine by machine, as
// docs/deploy.md says, while calls and a batch are open.
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from '../../../bin/settings/stack-settings.ts';
import { together, type FaultOutcome } from '../../faults/fault.ts';
import { linesOf } from '../../faults/history.ts';
import { replay } from '../../faults/temporal.ts';
import { streamAnswer } from '../live-stream.ts';
import type { RoleName } from '../roles.ts';
import { openBatch, underLoad } from '../under-load.ts';
import type { CheckOptions, Loaded, OpenBatch } from '../under-load.ts';

const items = 60;
/** Both versions work side by side. */
const sideBySideMs = 3_000;
const order: readonly RoleName[] = ['worker-a', 'worker-b', 'stream', 'api-a', 'api-b'];

export async function upgrade(options: CheckOptions): Promise<FaultOutcome> {
  const { previous } = options;
  if (previous === null) return { figures: ['skipped: git has no version before'], broken: [] };
  let batch: OpenBatch;
  return underLoad(options, {
    versions: 'two',
    async during(loaded) {
      batch = await openBatch(loaded.cluster, items);
      const migrated = await loaded.cluster.svc(repositoryRoot, 'setup');
      const seconds: string[] = [];
      for (const name of order) {
        seconds.push(`${name} ${(await exchange(loaded, name)).toFixed(1)} s`);
        await sleep(sideBySideMs);
      }
      const stream = await streamAnswer(loaded.cluster);
      return {
        figures: [`from ${previous}; ended in order: ${seconds.join(', ')}; a stream: ${stream}`],
        broken: [
          ...(migrated.code === 0 ? [] : [`svc setup failed: ${migrated.stderr}`]),
          ...(stream === 'final' ? [] : [`after it a stream ends with ${stream}`]),
        ],
      };
    },
    async afterwards({ cluster, history }) {
      const failed = history.operations.filter(({ answer }) => answer !== '200');
      const broken = failed.flatMap(({ id }) => [
        `${id} failed`,
        ...linesOf(history.operations, id),
      ]);
      return together([await batch.end(), await replay(cluster), { figures: [], broken }]);
    },
  });
}

/** @returns seconds that the process of the version before took to end */
async function exchange({ cluster }: Loaded, name: RoleName): Promise<number> {
  const seconds = await cluster.stop(name);
  await cluster.start(name);
  return seconds;
}
