// The machine of the streams is asked to stop while streams are open.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultOutcome } from '../../faults/fault.ts';
import { brokenInvariants } from '../../faults/ledger-check.ts';
import { untilQuiet } from '../../faults/invariants.ts';
import { anAccount } from '../../support/database.ts';
import { commit, openStream, sendSpeech, streamAnswer, wordOf } from '../live-stream.ts';
import { allowanceSeconds, type CheckOptions } from '../under-load.ts';

/** Streams have 20 s to end by themselves; then come the models and the connections. */
const deadlineSeconds = 30;
const committing = 3;
const idle = 3;
const quietMs = 60_000;

export async function drain({ cluster }: CheckOptions): Promise<FaultOutcome> {
  const account = await anAccount(cluster.db, { allowanceSeconds });
  const open = await Promise.all(
    Array.from({ length: committing + idle }, () => openStream(cluster, account)),
  );
  await Promise.all(open.map(sendSpeech));
  const stopped = cluster.stop('stream');
  await sleep(2_000);
  const rejected = await streamAnswer(cluster);
  const answers = await Promise.all(open.slice(0, committing).map(commit));
  const ends = await Promise.all(
    open.slice(committing).map(async (each) => wordOf(await each.ended)),
  );
  const seconds = await stopped;
  await cluster.start('stream');
  const again = await streamAnswer(cluster);
  const quiet = await untilQuiet(cluster, quietMs);
  return {
    figures: [
      `ended after ${seconds.toFixed(1)} s; committed meanwhile: ${answers.join()}; ` +
        `left open: ${ends.join()}; a new one meanwhile: ${rejected}; afterwards: ${again}`,
    ],
    broken: [
      ...(seconds <= deadlineSeconds ? [] : [`the machine took ${seconds.toFixed(1)} s to end`]),
      ...(answers.every((word) => word === 'final') ? [] : ['a commit was not answered']),
      ...(ends.every((word) => word === '1013 not_ready')
        ? []
        : ['a stream without a commit was not told why it ends']),
      ...(rejected === 'final' ? ['a stream was accepted by a machine that ends'] : []),
      ...(again === 'final' ? [] : [`afterwards a stream ends with ${again}`]),
      ...(quiet ? [] : ['streams are open in the ledger']),
      ...(await brokenInvariants({ ...cluster, account })),
    ],
  };
}
