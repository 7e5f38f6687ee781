// Voice activity of a growing recording: one job at a time, over the new part.
import test from 'ava';
import { createSampleBuffer } from '../../../models/analysis/sample-buffer.ts';
import { createGrowingVoiceActivity } from '../../../models/analysis/growing-voice-activity.ts';
import { scriptedPool, settled } from '../../support/scripted-pool.ts';

const hopSamples = 512;
const job = { organizationId: 'org_a', priority: 1 } as const;

function hops(first: number, count: number): Uint8Array {
  const pcm = Int16Array.from({ length: Math.round(count * hopSamples) }, (_, i) => {
    return first + Math.floor(i / hopSamples);
  });
  return new Uint8Array(pcm.buffer);
}

function hopNumbers(pcm: Int16Array): Float32Array {
  return Float32Array.from({ length: Math.ceil(pcm.length / hopSamples) }, (_, hop) => {
    return pcm[hop * hopSamples]!;
  });
}

/** A pool whose first job ends when the test says so, and what listens to a growing recording. */
function heldBack() {
  const first = Promise.withResolvers<void>();
  const pool = scriptedPool({
    voiceActivity: async (pcm) => {
      await first.promise;
      return hopNumbers(pcm);
    },
  });
  const buffer = createSampleBuffer();
  return { first, pool, buffer, watch: createGrowingVoiceActivity(pool, buffer, job) };
}

const numbers = (count: number): Float32Array => Float32Array.from({ length: count }, (_, i) => i);

test('a job is sent once enough is new, and only its new hops are kept', async (t) => {
  const pool = scriptedPool({ voiceActivity: async (pcm) => hopNumbers(pcm) });
  const buffer = createSampleBuffer();
  const watch = createGrowingVoiceActivity(pool, buffer, job);
  const ends: number[] = [];
  const look = (): void => watch.detectNew((samples) => ends.push(samples));
  buffer.append(hops(0, 20.9));
  look();
  t.is(pool.jobs.length, 0);
  buffer.append(hops(20, 79.1));
  look();
  await settled();
  buffer.append(hops(99, 21));
  look();
  await settled();
  t.deepEqual(ends, [100 * hopSamples, 121 * hopSamples]);
  // The second job starts 31 hops earlier, to warm up the model's state.
  t.deepEqual(
    pool.jobs.map(({ pcm }) => pcm.length / hopSamples),
    [100, 21 + 31],
  );
  t.is(watch.probabilities().length, 121);
});

test('what arrives during a job is analysed by the next one automatically', async (t) => {
  const { first, pool, buffer, watch } = heldBack();
  for (const at of [0, 30, 60]) {
    buffer.append(hops(at, 30));
    watch.detectNew(() => {});
  }
  t.is(pool.jobs.length, 1);
  first.resolve();
  await settled();
  t.is(pool.jobs.length, 2);
  t.deepEqual(watch.probabilities(), numbers(90));
});

test('at the end the incomplete hop is analysed too, after the running job', async (t) => {
  const { first, pool, buffer, watch } = heldBack();
  buffer.append(hops(0, 25));
  watch.detectNew(() => {});
  buffer.append(hops(25, 3.5));
  const whole = watch.detectAll();
  t.is(pool.jobs.length, 1);
  first.resolve();
  await whole;
  t.deepEqual(watch.probabilities(), numbers(29));
  await watch.detectAll();
  t.is(pool.jobs.length, 2);
});

test('a job that failed during the recording is repeated at the end', async (t) => {
  let fails = true;
  const pool = scriptedPool({
    voiceActivity: async (pcm) => {
      if (fails) throw new Error('the process died');
      return hopNumbers(pcm);
    },
  });
  const buffer = createSampleBuffer();
  const watch = createGrowingVoiceActivity(pool, buffer, job);
  buffer.append(hops(0, 40));
  watch.detectNew(() => t.fail('nothing was looked at'));
  await settled();
  await t.throwsAsync(watch.detectAll(), { message: 'the process died' });
  fails = false;
  await watch.detectAll();
  t.deepEqual(watch.probabilities(), numbers(40));
});

test('a stream that was abandoned costs no more jobs', (t) => {
  const pool = scriptedPool({ voiceActivity: async (pcm) => hopNumbers(pcm) });
  const buffer = createSampleBuffer();
  const aborter = new AbortController();
  const watch = createGrowingVoiceActivity(pool, buffer, { ...job, signal: aborter.signal });
  aborter.abort();
  buffer.append(hops(0, 40));
  watch.detectNew(() => {});
  t.is(pool.jobs.length, 0);
});
