// Voice activity of a recording while it is decoded: every hop once, in order, for any block size.
import test from 'ava';
import { streamVoiceActivity } from '../../../models/analysis/voice-activity.ts';
import type { VoiceActivityOptions } from '../../../models/inference/jobs.ts';
import { heardAfter, nothingHeard } from '../../../models/vad/steady-level.ts';
import { scriptedPool, settled } from '../../support/scripted-pool.ts';

const hopSamples = 512;
const segmentHops = 1_875;
const warmUpHops = 31;
const tailHops = 16;
const job = { organizationId: 'org_a', priority: 3 } as const;

/** The first sample of each hop has its number, so that an answer tells which hops it is for. */
function numberedHops(hops: number): Int16Array {
  return Int16Array.from({ length: Math.round(hops * hopSamples) }, (_, i) =>
    i % hopSamples === 0 ? 1 + i / hopSamples : 0,
  );
}

function hopNumbers(pcm: Int16Array): Float32Array {
  return Float32Array.from({ length: Math.ceil(pcm.length / hopSamples) }, (_, hop) => {
    return pcm[hop * hopSamples]!;
  });
}

for (const [name, hops] of [
  ['nothing', 0],
  ['half a hop', 0.5],
  ['one job exactly', segmentHops],
  ['one hop more than a job', segmentHops + 1],
  ['several jobs and a part of a hop', 3.2 * segmentHops],
] as const) {
  test(`every hop has its probability, once and in order: ${name}`, async (t) => {
    const pool = scriptedPool({ voiceActivity: async (pcm) => hopNumbers(pcm) });
    const stream = streamVoiceActivity(pool, job);
    const pcm = numberedHops(hops);
    for (let at = 0; at < pcm.length; at += 70_001) await stream.write(pcm.slice(at, at + 70_001));
    const behind = new Float32Array(hops === 0 ? 0 : tailHops);
    t.deepEqual(await stream.end(), Float32Array.of(...hopNumbers(pcm), ...behind));
    for (const { options } of pool.jobs) t.like(options, job);
  });
}

test('each job starts a second early, to warm up, the first in silence', async (t) => {
  const pool = scriptedPool({ voiceActivity: async (pcm) => hopNumbers(pcm) });
  const stream = streamVoiceActivity(pool, job);
  await stream.write(numberedHops(3 * segmentHops));
  await stream.end();
  t.deepEqual(
    pool.jobs.map(({ pcm }) => pcm[0]),
    [0, segmentHops - warmUpHops + 1, 2 * segmentHops - warmUpHops + 1, 3 * segmentHops - 30],
  );
});

test('each job knows how loud what precedes it was', async (t) => {
  const pool = scriptedPool({ voiceActivity: async (pcm) => hopNumbers(pcm) });
  const stream = streamVoiceActivity(pool, job);
  const pcm = numberedHops(3 * segmentHops);
  await stream.write(pcm);
  await stream.end();
  const starts = [0, 1, 2, 3].map((part) => Math.max(0, part * segmentHops - warmUpHops));
  t.deepEqual(
    pool.jobs.map(({ options }) => (options as VoiceActivityOptions).heard),
    starts.map((hop) => heardAfter(pcm.subarray(0, hop * hopSamples), nothingHeard)),
  );
});

test('a channel that is analysed apart is heard as recorded', async (t) => {
  const pool = scriptedPool({ voiceActivity: async (pcm) => hopNumbers(pcm) });
  const stream = streamVoiceActivity(pool, job, { asRecorded: true });
  await stream.write(numberedHops(2 * segmentHops));
  await stream.end();
  t.true(pool.jobs.length > 1);
  for (const { options } of pool.jobs) t.is((options as VoiceActivityOptions).heard, null);
});

test('decoding waits when every process has a job and one more is queued', async (t) => {
  const first = Promise.withResolvers<Float32Array>();
  let calls = 0;
  const pool = scriptedPool({
    size: 1,
    voiceActivity: (pcm) => (++calls === 1 ? first.promise : Promise.resolve(hopNumbers(pcm))),
  });
  const stream = streamVoiceActivity(pool, job);
  await stream.write(numberedHops(segmentHops));
  let taken = false;
  const second = stream.write(numberedHops(segmentHops)).then(() => {
    taken = true;
  });
  await settled();
  t.is(pool.jobs.length, 2);
  t.false(taken);
  first.resolve(new Float32Array(warmUpHops + segmentHops));
  await second;
  t.is((await stream.end()).length, 2 * segmentHops + tailHops);
});

test('a job that fails is reported at the end, and not before', async (t) => {
  const failure = new Error('the process died');
  const pool = scriptedPool({ voiceActivity: () => Promise.reject(failure) });
  const stream = streamVoiceActivity(pool, job);
  await stream.write(numberedHops(segmentHops));
  await settled();
  t.is(await t.throwsAsync(stream.end()), failure);
});

test.serial('an hour of short blocks is copied about once', async (t) => {
  const typedArray = Object.getPrototypeOf(Int16Array.prototype) as object;
  const set = Object.getOwnPropertyDescriptor(typedArray, 'set')!;
  let copied = 0;
  const value = function count(this: Int16Array, source: Int16Array, offset?: number): void {
    copied += source.length;
    Reflect.apply(set.value as Int16Array['set'], this, [source, offset]);
  };
  Object.defineProperty(typedArray, 'set', { ...set, value });
  t.teardown(() => Object.defineProperty(typedArray, 'set', set));
  const pool = scriptedPool({ voiceActivity: async () => new Float32Array(0) });
  const stream = streamVoiceActivity(pool, job);
  const block = new Int16Array(64_000);
  for (let i = 0; i < 900; i += 1) await stream.write(block);
  await stream.end();
  t.true(copied < 1.2 * 900 * block.length, `${copied / (900 * block.length)} times`);
});
