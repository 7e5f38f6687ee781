// Decoded samples between activities: a clip stays in memory, anything longer is stored in order.
import test from 'ava';
import { openPcmStore, type LongerClips, type PcmStore } from '../../activities/pcm-store.ts';
import { collectSums, sumsKey } from '../../activities/pcm-sums.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { createAudioBudget } from '../../models/fairness/audio-budget.ts';
import { settled } from '../support/scripted-pool.ts';
import { noise } from '../support/speech.ts';

interface Storage {
  readonly store: PcmStore;
  /** The events, in order. */
  readonly events: readonly string[];
  /** The bytes of the object so far; null until its write begins. */
  readonly stored: () => Buffer | null;
  readonly sums: () => unknown;
  /** While this is true, storage accepts no blocks. */
  readonly resume: () => void;
}

interface StorageOptions {
  readonly clipSamples?: number;
  readonly longer?: LongerClips;
  /** Storage stops before it accepts the first block. */
  readonly stalls?: boolean;
  readonly failure?: Error;
}

/** A store whose object is an array; a write that fails or is aborted leaves no object. */
function storage(given: StorageOptions = {}): Storage {
  const { clipSamples = 1_000, longer, stalls = false, failure } = given;
  const events: string[] = [];
  const small = new Map<string, string>();
  const going = Promise.withResolvers<void>();
  if (!stalls) going.resolve();
  let blocks: Uint8Array[] | null = null;
  const write = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
    await going.promise;
    for await (const block of body) {
      blocks!.push(block.slice());
      if (failure) throw failure;
    }
  };
  const objects: Pick<ObjectStore, 'putStream' | 'putBytes'> = {
    async putStream(key, body) {
      events.push(`write ${key}`);
      blocks = [];
      await write(body).catch((error: unknown) => {
        blocks = null;
        throw error;
      });
      events.push('written');
      return { sha256: '', bytes: 0 } as never;
    },
    async putBytes(key, bytes) {
      events.push(`put ${key}`);
      small.set(key, String(bytes));
    },
  };
  const onStore = async (): Promise<void> => {
    await settled();
    events.push('row');
  };
  const options = { objects: objects as ObjectStore, key: 'pcm', clipSamples, longer, onStore };
  return {
    store: openPcmStore(options),
    events,
    stored: () => blocks && Buffer.concat(blocks),
    sums: () => JSON.parse(small.get(sumsKey('pcm')) ?? 'null') as unknown,
    resume: () => going.resolve(),
  };
}

const pcm = noise(0.5);
const bytesOf = (samples: Int16Array): Buffer =>
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);

test('a clip is returned from memory, without any call of storage', async (t) => {
  const { store, events } = storage();
  await store.write(pcm.subarray(0, 400));
  await store.write(pcm.subarray(400, 1_000));
  t.deepEqual(await store.end(), pcm.slice(0, 1_000));
  t.deepEqual(events, []);
});

test('one sample more than a clip is stored, from the first sample on', async (t) => {
  const { store, events, stored, sums } = storage();
  await store.write(pcm.subarray(0, 400));
  await store.write(pcm.subarray(400, 1_001));
  await store.write(pcm.subarray(1_001, 8_000));
  t.is(await store.end(), null);
  t.deepEqual(stored(), bytesOf(pcm));
  // The row is written before the object, and the checksums after all of it.
  t.deepEqual(events, ['row', 'write pcm', 'written', `put ${sumsKey('pcm')}`]);
  const expected = collectSums();
  expected.add(bytesOf(pcm));
  t.deepEqual(sums(), { version: 1, ...expected.end() });
});

test('a clip gets longer where memory is left, and keeps no more than it has', async (t) => {
  const budget = createAudioBudget(600);
  const longer = { clipSamples: 1_500, share: budget.share() };
  const other = budget.share();
  const { store, events } = storage({ longer });
  await store.write(pcm.subarray(0, 1_000));
  t.true(other.hold(600));
  other.hold(100);
  await store.write(pcm.subarray(1_000, 1_001));
  t.false(other.hold(101));
  await store.write(pcm.subarray(1_001, 1_200));
  t.deepEqual(await store.end(), pcm.slice(0, 1_200));
  t.true(other.hold(400));
  t.false(other.hold(401));
  t.deepEqual(events, []);
});

test('a clip for which no memory is left when it gets longer is stored', async (t) => {
  const budget = createAudioBudget(499);
  const { store, stored } = storage({ longer: { clipSamples: 1_500, share: budget.share() } });
  await store.write(pcm.subarray(0, 1_000));
  await store.write(pcm.subarray(1_000, 1_200));
  t.is(await store.end(), null);
  t.deepEqual(stored(), bytesOf(pcm.subarray(0, 1_200)));
});

test('decoding pauses while storage is slow', async (t) => {
  const { store, stored, resume } = storage({ clipSamples: 0, stalls: true });
  let taken = 0;
  const pushes = (async () => {
    for (let at = 0; at < pcm.length; at += 100) {
      await store.write(pcm.subarray(at, at + 100));
      taken += 1;
    }
  })();
  await settled();
  t.true(taken <= 2, `${taken} blocks were taken by a store that reads none`);
  resume();
  await pushes;
  await store.end();
  t.deepEqual(stored(), bytesOf(pcm));
});

test('a failed write is the error of the following samples and of the end', async (t) => {
  const failure = new Error('the disk is full');
  const { store, sums } = storage({ clipSamples: 0, failure });
  const pushed = (async () => {
    for (let at = 0; at < pcm.length; at += 100) await store.write(pcm.subarray(at, at + 100));
  })();
  t.is(await t.throwsAsync(pushed), failure);
  t.is(await t.throwsAsync(store.end()), failure);
  t.is(sums(), null);
});

test('a recording whose decoding failed leaves nothing in storage', async (t) => {
  const { store, stored, sums } = storage({ clipSamples: 0 });
  await store.write(pcm.subarray(0, 100));
  await store.abort();
  t.is(stored(), null);
  t.is(sums(), null);
});

test('a clip whose decoding failed has nothing to delete', async (t) => {
  const { store, events } = storage();
  await store.write(pcm.subarray(0, 100));
  await store.abort();
  t.deepEqual(events, []);
});
