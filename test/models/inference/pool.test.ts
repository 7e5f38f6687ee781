// The inference pool on real models and processes: words, crashes, priorities, cancellation.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import { noAssignments } from '../../../models/bundles/assignments.ts';
import { defaultEnglishBundle } from '../../../models/bundles/english-bundles.ts';
import { InferenceProcessDied } from '../../../models/inference/errors.ts';
import { createInferencePool } from '../../../models/inference/pool.ts';
import { startInferenceProcess } from '../../../models/inference/process.ts';
import { nothingHeard } from '../../../models/vad/steady-level.ts';
import { testServers } from '../../support/environment.ts';
import { silence, speech } from '../../support/speech.ts';
import { childrenThatRun } from '../../support/child-processes.ts';
import { until } from '../../support/until.ts';

const options = () => ({ modelsDirectory: testServers().modelsDirectory, processes: 2 });

const children = () => childrenThatRun('inference/child');

/** The process that replaces a killed one. */
async function successor(killed: number): Promise<number> {
  return (await until(() => children().find((pid) => pid !== killed)))!;
}

const sentences = 'We have received the letter of your lawyer and will answer it soon. '.repeat(12);
const caller = { organizationId: 'org', priority: 1 } as const;
const wanted = { words: true, language: 'en', text: false, head: null, spans: [] } as const;

test.serial('speech is recognised and detected; silence is not', async (t) => {
  const pool = createInferencePool(options());
  t.teardown(() => pool.close());
  const pcm = await speech('The weather is nice today.');
  const { words } = await pool.analyze(pcm, wanted, caller);
  t.regex(words.map((word) => word.word).join(' '), /weather is nice/i);
  const spoken = await pool.voiceActivity(pcm, caller);
  t.is(spoken.length, Math.ceil(pcm.length / 512));
  t.true(Math.max(...spoken) > 0.8);
  t.true(Math.max(...(await pool.voiceActivity(silence(2), caller))) < 0.3);
});

test.serial('weights that were packed are read, and may be gone', async (t) => {
  const packed = process.env['SVC_PACKED_WEIGHTS_DIR'];
  const clip = await speech('The number is four.');
  const read = async (packedWeights: string | undefined): Promise<unknown> => {
    const pool = createInferencePool({ ...options(), processes: 1, packedWeights });
    t.teardown(() => pool.close());
    const { words } = await pool.analyze(clip, wanted, caller);
    await pool.close();
    return words;
  };
  const own = await read(undefined);
  t.deepEqual(await read(packed), own);
  t.deepEqual(await read(join(tmpdir(), 'svc-test-removed')), own);
});

test.serial('a process that has ended takes no job', async (t) => {
  const process = startInferenceProcess({
    modelsDirectory: testServers().modelsDirectory,
    packedWeights: null,
    englishBundle: defaultEnglishBundle,
    assignments: noAssignments,
    niceness: 0,
  });
  process.kill();
  await process.exited;
  const job = { kind: 'voiceActivity', heard: nothingHeard } as const;
  const claim = { organizationId: 'org', priority: 1, cost: 0 } as never;
  const running = process.run(job, [silence(1)], { claim, spareCore: false, onEnd: () => {} });
  await t.throwsAsync(running, { instanceOf: InferenceProcessDied });
});

test.serial('a process that dies at its start is replaced before the pool is ready', async (t) => {
  const pool = createInferencePool({ ...options(), processes: 1 });
  t.teardown(() => pool.close());
  const ready = pool.ready();
  const [first] = children();
  process.kill(first!, 'SIGKILL');
  await t.notThrowsAsync(ready);
  t.true((await pool.voiceActivity(silence(1), caller)).length > 0);
});

test.serial('a job survives one killed process, and fails after two', async (t) => {
  const pool = createInferencePool({ ...options(), processes: 1 });
  t.teardown(() => pool.close());
  await pool.ready();
  const clip = await speech('Still here.');
  // The process is looked up before the job is sent: the lookup can take longer than the job.
  const [first] = children();
  const survivor = pool.analyze(clip, wanted, caller);
  process.kill(first!, 'SIGKILL');
  t.true((await survivor).words.length > 0);
  const [second] = children();
  const doomed = t.throwsAsync(pool.analyze(silence(30), wanted, caller), {
    name: 'InferenceProcessDied',
  });
  process.kill(second!, 'SIGKILL');
  const third = await successor(second!);
  // When its models are loaded, the restarted process has the job.
  await pool.ready();
  process.kill(third, 'SIGKILL');
  await doomed;
  const next = await pool.analyze(clip, wanted, caller);
  t.true(next.words.length > 0);
});

test.serial("another organization's clip overtakes a long job in the only process", async (t) => {
  const pool = createInferencePool({ ...options(), processes: 1 });
  t.teardown(() => pool.close());
  await pool.ready();
  const long = (await speech(sentences)).subarray(0, 12 * 16_000);
  const clip = long.subarray(0, 32_000);
  const race = async (): Promise<readonly string[]> => {
    const ended: string[] = [];
    const send = async (organizationId: string, pcm: Int16Array) => {
      await pool.analyze(pcm, wanted, { organizationId, priority: 1 });
      ended.push(`${organizationId} ${pcm.length > 32_000 ? 'long' : 'clip'}`);
    };
    await Promise.all([send('a', long), send('a', long), send('a', clip), send('b', clip)]);
    return ended;
  };
  const fair = ['b clip', 'a long', 'a long', 'a clip'];
  let ended = await race();
  // A machine that stalls in the clip's turn has used that turn up, so it gets others.
  for (let i = 0; i < 4 && !isDeepStrictEqual(ended, fair); i += 1) ended = await race();
  t.deepEqual(ended, fair);
});

test.serial('chunks that are queued together are each answered, also after a crash', async (t) => {
  const reports: number[] = [];
  const onJob = ({ runMs }: { readonly runMs: number }): void => void reports.push(runMs);
  const pool = createInferencePool({ ...options(), processes: 1, onJob });
  t.teardown(() => pool.close());
  await pool.ready();
  const texts = ['Still here.', 'One moment.', 'Please hold the line.', 'Thank you.'];
  const clips = await Promise.all(texts.map((text) => speech(text)));
  const ask = () => Promise.all(clips.map((pcm) => pool.analyze(pcm, wanted, caller)));
  const said = (all: Awaited<ReturnType<typeof ask>>) =>
    all.map(({ words }) => words.map(({ word }) => word).join(' '));
  const first = await ask();
  t.regex(said(first).join('|'), /here.*\|.*moment.*\|.*hold the line.*\|.*thank/i);
  t.is(reports.length, clips.length);
  t.true(first.every(({ inferenceMs }) => inferenceMs > 0));
  const [pid] = children();
  const again = ask();
  process.kill(pid!, 'SIGKILL');
  t.deepEqual(said(await again), said(first));
});

test.serial('a job that kills its process costs the job beside it nothing', async (t) => {
  const pool = createInferencePool({ ...options(), processes: 1 });
  t.teardown(() => pool.close());
  await pool.ready();
  const pcm = await speech('Still here.');
  const [pid] = children();
  const neighbour = pool.analyze(silence(30), wanted, caller);
  const guest = pool.analyze(pcm, wanted, { organizationId: 'guest', priority: 1 });
  process.kill(pid!, 'SIGKILL');
  t.true((await guest).words.length > 0);
  await neighbour;
});

test.serial('an aborted job leaves the queue, and a closed pool leaves no process', async (t) => {
  const pool = createInferencePool({ ...options(), processes: 1 });
  await pool.ready();
  const aborter = new AbortController();
  const first = pool.analyze(silence(10), wanted, caller);
  const second = pool.analyze(silence(10), wanted, { ...caller, signal: aborter.signal });
  aborter.abort(new Error('not wanted'));
  await t.throwsAsync(second, { message: 'not wanted' });
  await first;
  await pool.close();
  t.deepEqual(children(), []);
  await t.throwsAsync(pool.analyze(silence(1), wanted, caller));
});

test('jobs that are too long are rejected', async (t) => {
  const pool = createInferencePool({ ...options(), processes: 1 });
  t.teardown(() => pool.close());
  await t.throwsAsync(pool.analyze(silence(30.1), wanted, caller), {
    instanceOf: RangeError,
  });
});
