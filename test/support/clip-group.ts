// A group of clips in the database, each of a word, for tests of the activity alone.
import { tmpdir } from 'node:os';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { ExecutionContext } from 'ava';
import { analyzeClips } from '../../activities/batches/analyze-clips.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { createPaces } from '../../bin/process/worker-capacity.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { createFairSemaphore } from '../../models/fairness/fair-semaphore.ts';
import type { ClipGroupOutcome } from '../../workflows/types.ts';
import { aBatch } from './batch-rows.ts';
import { testDatabase } from './database.ts';
import { spoken, type FakePool } from './fake-pool.ts';
import { testObjectStore } from './object-store.ts';

export interface GroupOptions {
  /** Of the files; a file's word is named by its length. */
  readonly bytes?: readonly number[];
  readonly clipSeconds?: number;
}

interface Decode {
  readonly bytes: number;
  readonly onPcm: (pcm: Int16Array) => Promise<void>;
}

const blockSeconds = 2;
const word = { startSeconds: 0.5, endSeconds: 1.5 };

/** Each clip is a word in its first two seconds, of the value that its length in bytes is. */
export async function aClipGroup(
  t: ExecutionContext,
  pool: FakePool,
  { bytes = [10, 20, 30], clipSeconds = 2 }: GroupOptions = {},
) {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const files = bytes.map((length) => Buffer.alloc(length, 1));
  const batch = await aBatch(db, objects, files);
  const decode = async ({ bytes: value, onPcm }: Decode) => {
    await onPcm(spoken(blockSeconds, [{ ...word, value }]));
    for (let at = blockSeconds; at < clipSeconds; at += blockSeconds) {
      await onPcm(new Int16Array(blockSeconds * sampleRate));
    }
    const samples = clipSeconds * sampleRate;
    const source = { sourceSamples: samples, sourceRate: sampleRate, sourceChannels: 1 };
    return { samples, ...source, startSeconds: 0 };
  };
  let completed = 0;
  const metrics = { completed: () => (completed += 1), failed: () => {} };
  const dependencies = {
    ...{ db, objects, decoder: { decode }, pool, priority: 3, metrics, affect: () => null },
    ...{ temporaryDirectory: tmpdir(), spans: createFairSemaphore(4), ...createPaces() },
  } as unknown as ActivityDependencies;
  const group = { batchId: batch.id, from: 0, to: files.length };
  const analyze = async (environment = new MockActivityEnvironment()): Promise<ClipGroupOutcome> =>
    environment.run(() => analyzeClips(dependencies, group)) as never;
  /** In the order of the items. */
  const states = async (): Promise<readonly string[]> => {
    const rows = await db.selectFrom('requests').select(['requestId', 'state']).execute();
    const position = ({ requestId }: { requestId: string }) => Number(requestId.split(' ')[1]);
    return rows.toSorted((a, b) => position(a) - position(b)).map(({ state }) => state);
  };
  const debitedSeconds = async (): Promise<readonly number[]> => {
    const debits = db.selectFrom('ledger').select('seconds').where('kind', '=', 'debit');
    return (await debits.execute()).map(({ seconds }) => seconds);
  };
  return { objects, analyze, states, debitedSeconds, completed: () => completed };
}
