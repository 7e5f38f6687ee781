// The inference pool on real models and processes: words, crashes, priorities, cancellation.
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createInferencePool } from '../../../models/inference/pool.ts';
import { createJobQueue } from '../../../models/inference/job-queue.ts';
import type { Priority } from '../../../models/inference/jobs.ts';
import { testServers } from '../../support/environment.ts';
import { silence, speech } from '../../support/speech.ts';

const options = () => ({ modelsDirectory: testServers().modelsDirectory, processes: 2 });

function children(): readonly number[] {
  try {
    const found = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'inference/child']);
    return found.toString().trim().split('\n').map(Number);
  } catch {
    return [];
  }
}

const wanted = { words: true, text: false, head: null, spans: null } as const;

test.serial('speech is recognised and found; silence is not', async (t) => {
  const pool = createInferencePool(options());
  t.teardown(() => pool.close());
  const pcm = await speech('The weather is nice today.');
  const { words } = await pool.analyze(pcm, wanted, { priority: 1 });
  t.regex(words.map((word) => word.word).join(' '), /weather is nice/i);
  const spoken = await pool.voiceActivity(pcm, { priority: 1 });
  t.is(spoken.length, Math.ceil(pcm.length / 512));
  t.true(Math.max(...spoken) > 0.8);
  t.true(Math.max(...(await pool.voiceActivity(silence(2), { priority: 1 }))) < 0.3);
});

test.serial('a job survives one killed process, and gives up after two', async (t) => {
  const pool = createInferencePool({ ...options(), processes: 1 });
  t.teardown(() => pool.close());
  await pool.ready();
  const kill = () => process.kill(children()[0]!, 'SIGKILL');
  const survivor = pool.analyze(await speech('Still here.'), wanted, { priority: 1 });
  kill();
  t.true((await survivor).words.length > 0);
  const doomed = pool.analyze(silence(30), wanted, { priority: 1 });
  kill();
  // The next process has the job as soon as its models are loaded.
  while (children().length > 0) await sleep(5);
  while (children().length === 0) await sleep(5);
  await pool.ready();
  await sleep(20);
  kill();
  await t.throwsAsync(doomed, { name: 'InferenceProcessDied' });
  const next = await pool.analyze(await speech('Still here.'), wanted, { priority: 1 });
  t.true(next.words.length > 0);
});

test.serial('an aborted job leaves the queue, and a closed pool leaves no process', async (t) => {
  const pool = createInferencePool({ ...options(), processes: 1 });
  await pool.ready();
  const aborter = new AbortController();
  const first = pool.analyze(silence(10), wanted, { priority: 1 });
  const second = pool.analyze(silence(10), wanted, { priority: 1, signal: aborter.signal });
  aborter.abort(new Error('not wanted'));
  await t.throwsAsync(second, { message: 'not wanted' });
  await first;
  await pool.close();
  t.deepEqual(children(), []);
  await t.throwsAsync(pool.analyze(silence(1), wanted, { priority: 1 }));
});

test('jobs that are too long are refused', async (t) => {
  const pool = createInferencePool({ ...options(), processes: 1 });
  t.teardown(() => pool.close());
  await t.throwsAsync(pool.analyze(silence(30.1), wanted, { priority: 1 }), {
    instanceOf: RangeError,
  });
});

test('the queue takes urgent jobs first, in order, and holds bulk back when told', (t) => {
  const queue = createJobQueue<{ name: string; priority: Priority }>();
  queue.add({ name: 'bulk', priority: 5 });
  queue.add({ name: 'a', priority: 1 });
  queue.add({ name: 'middle', priority: 3 });
  queue.add({ name: 'b', priority: 1 });
  const take = (mayRunBulk: boolean) => queue.take({ mayRunBulk })?.name;
  t.deepEqual([take(true), take(true), take(false)], ['a', 'b', undefined]);
  t.deepEqual([take(true), take(true), take(true)], ['middle', 'bulk', undefined]);
});
