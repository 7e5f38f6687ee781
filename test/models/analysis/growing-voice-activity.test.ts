// Voice activity of a growing recording: a job for each new piece, the same whatever its pace.
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
/** With the silence behind. */
const allNumbers = (count: number): Float32Array => {
  return Float32Array.of(...numbers(count), ...new Float32Array(16));
};

test('a job is sent once a piece is complete, and only its new hops are kept', async (t) => {
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
  t.deepEqual(ends, [84 * hopSamples, 105 * hopSamples]);
  // A job starts 31 hops earlier, the first in silence, to warm up the model's state.
  t.deepEqual(
    pool.jobs.map(({ pcm }) => pcm.length / hopSamples),
    Array<number>(5).fill(31 + 21),
  );
  t.is(watch.probabilities().length, 105);
});

test('the pieces do not depend on how fast and in what frames a recording arrives', async (t) => {
  const jobsOf = async (frameHops: number): Promise<readonly Int16Array[]> => {
    const pool = scriptedPool({ voiceActivity: async (pcm) => hopNumbers(pcm) });
    const buffer = createSampleBuffer();
    const watch = createGrowingVoiceActivity(pool, buffer, job);
    for (let at = 0; at < 150; at += frameHops) {
      buffer.append(hops(at, Math.min(frameHops, 150 - at)));
      watch.detectNew(() => {});
      if (frameHops < 150) await settled();
    }
    await watch.detectAll();
    t.deepEqual(watch.probabilities(), allNumbers(150));
    return pool.jobs.map(({ pcm }) => pcm);
  };
  const atOnce = await jobsOf(150);
  t.is(atOnce.length, 8);
  for (const frameHops of [1, 10, 25, 64]) t.deepEqual(await jobsOf(frameHops), atOnce);
});

test('pieces that are complete when a job ends are detected by the next ones', async (t) => {
  const { first, pool, buffer, watch } = heldBack();
  for (const at of [0, 30, 60]) {
    buffer.append(hops(at, 30));
    watch.detectNew(() => {});
  }
  t.is(pool.jobs.length, 1);
  first.resolve();
  await settled();
  t.is(pool.jobs.length, 4);
  t.deepEqual(watch.probabilities(), numbers(84));
});

test('at the end the last hop and the silence behind are analysed too', async (t) => {
  const { first, pool, buffer, watch } = heldBack();
  buffer.append(hops(0, 25));
  watch.detectNew(() => {});
  buffer.append(hops(25, 3.5));
  const whole = watch.detectAll();
  t.is(pool.jobs.length, 1);
  first.resolve();
  await whole;
  t.deepEqual(watch.probabilities(), allNumbers(29));
  await watch.detectAll();
  t.is(pool.jobs.length, 3);
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
  t.deepEqual(watch.probabilities(), allNumbers(40));
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
