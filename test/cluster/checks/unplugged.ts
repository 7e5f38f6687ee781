// Machines lose their network, and are then killed: a worker, an API, and the one of the streams.
import { setTimeout as sleep } from 'node:timers/promises';
import { together, type FaultOutcome } from '../../faults/fault.ts';
import { anAccount } from '../../support/database.ts';
import { openStream, sendSpeech, streamAnswer, wordOf } from '../live-stream.ts';
import { plugIn, unplug } from '../network.ts';
import type { RoleName } from '../roles.ts';
import { answeredBetween, openBatch, underLoad, type Loaded } from '../under-load.ts';
import type { CheckOptions, OpenBatch } from '../under-load.ts';

const items = 30;
/** Beyond the 10 s after which a lost activity is started elsewhere. */
const unpluggedMs = 20_000;

export async function unplugged(options: CheckOptions): Promise<FaultOutcome> {
  let batch: OpenBatch;
  return underLoad(options, {
    async during(loaded) {
      batch = await openBatch(loaded.cluster, items);
      return together([
        await lose(loaded, 'worker-b'),
        await lose(loaded, 'api-b'),
        await loseStreams(loaded),
      ]);
    },
    afterwards: () => batch.end(),
  });
}

/** @returns how many callers were answered without the machine */
async function lose({ cluster, history }: Loaded, name: RoleName): Promise<FaultOutcome> {
  const from = history.now();
  unplug(cluster.machines[name]);
  await sleep(unpluggedMs);
  cluster.crash(name);
  const answered = answeredBetween(history, from, history.now());
  plugIn(cluster.machines[name]);
  await cluster.start(name);
  const figure = `${name} unplugged for ${unpluggedMs / 1_000} s and killed: ${answered} answered`;
  return { figures: [figure], broken: answered > 0 ? [] : [`without ${name} nobody is answered`] };
}

async function loseStreams(loaded: Loaded): Promise<FaultOutcome> {
  const { cluster } = loaded;
  const open = await openStream(cluster, await anAccount(cluster.db));
  await sendSpeech(open);
  const lost = await lose(loaded, 'stream');
  const ended = wordOf(await open.ended);
  const again = await streamAnswer(cluster);
  const figure = `its open stream ended with ${ended}, a new one with ${again}`;
  return together([lost, { figures: [figure], broken: again === 'final' ? [] : [figure] }]);
}
