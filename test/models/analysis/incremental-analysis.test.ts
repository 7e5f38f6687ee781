// A stream is analysed while it is spoken: what its end costs, what it gives, and what failed.
import test from 'ava';
import {
  createIncrementalAnalysis,
  type IncrementalOptions,
} from '../../../models/analysis/incremental-analysis.ts';
import type { InferencePool } from '../../../models/inference/jobs.ts';
import {
  scriptedPool,
  settled,
  type ScriptedAnswers,
  type ScriptedPool,
} from '../../support/scripted-pool.ts';
import type { RecordingRequest } from '../../../models/contract/recording-request.ts';

const sampleRate = 16_000;
const hopSamples = 512;

/** Speech wherever the samples are not zero. */
const voiceActivity: InferencePool['voiceActivity'] = async (pcm) =>
  Float32Array.from({ length: Math.ceil(pcm.length / hopSamples) }, (_, hop) => {
    return pcm[hop * hopSamples] === 0 ? 0 : 0.99;
  });

/** One word per chunk, where the loudest sample says; the samples are the second they lie in. */
const analyze: InferencePool['analyze'] = async (pcm, { words }) => {
  const at = pcm.findIndex((sample) => sample !== 0) / sampleRate;
  const word = { word: `s${pcm.find((sample) => sample !== 0)}`, confidence: 1 };
  const spoken = words ? [{ ...word, start: at, end: at + 0.5 }] : [];
  const heard = { words: spoken, language: 'en', languages: null };
  return { ...heard, written: null, scored: [], inferenceMs: 10 };
};

/** Seconds of speech and of silence in turn; each sample of speech is its second, from 1. */
function recording(...seconds: readonly number[]): Uint8Array {
  let speaks = false;
  const parts = seconds.flatMap((length) => {
    speaks = !speaks;
    return Array<boolean>(length).fill(speaks);
  });
  const pcm = new Int16Array(parts.length * sampleRate);
  parts.forEach((spoken, second) => {
    if (spoken) pcm.fill(second + 1, second * sampleRate, (second + 1) * sampleRate);
  });
  return new Uint8Array(pcm.buffer);
}

const request: RecordingRequest = {
  task: 'transcription',
  model: 'svc-resonance',
  options: { diarize: false, numSpeakers: null, includeLogits: false },
};

interface Streamed {
  readonly pool: ScriptedPool;
  readonly analysis: ReturnType<typeof createIncrementalAnalysis>;
}

/** Frames of a quarter of a second, each looked at before the next one comes. */
async function stream(
  data: Uint8Array,
  answers: ScriptedAnswers = {},
  options: Partial<IncrementalOptions> = {},
): Promise<Streamed> {
  const pool = scriptedPool({ voiceActivity, analyze, ...answers });
  const analysis = createIncrementalAnalysis({
    ...{ pool, organizationId: 'org_a', request, affect: null },
    ...options,
  });
  for (let at = 0; at < data.length; at += 8_000) {
    analysis.push(data.subarray(at, at + 8_000));
    await settled();
  }
  return { pool, analysis };
}

const threeSentences = recording(5, 3, 6, 3, 4, 2);

test('what is closed by a pause is analysed before the end, which costs no more', async (t) => {
  const { pool, analysis } = await stream(threeSentences);
  const before = pool.of('analyze').length;
  t.is(before, 3);
  const { text, sourceSamples, sourceRate, billableSeconds, inferenceMs } = await analysis.finish();
  t.is(pool.of('analyze').length, before);
  t.is(text, 's1 s9 s18');
  t.deepEqual([sourceSamples, sourceRate, billableSeconds], [23 * sampleRate, sampleRate, 23]);
  t.is(inferenceMs, 30);
});

test('times are those of the recording', async (t) => {
  const { analysis } = await stream(threeSentences);
  const { segments } = await analysis.finish();
  t.deepEqual(
    segments.map(({ start }) => Math.round(start)),
    [0, 8, 17],
  );
});

test('while others wait, the last chunk is left until it is sure to be closed', async (t) => {
  const { pool, analysis } = await stream(recording(5, 3), { idle: () => false });
  t.is(pool.of('analyze').length, 0);
  t.is((await analysis.finish()).text, 's1');
  t.is(pool.of('analyze').length, 1);
});

test('the jobs of a stream are those of a caller who waits', async (t) => {
  const { pool, analysis } = await stream(threeSentences);
  await analysis.finish();
  for (const { options } of pool.jobs) t.like(options, { organizationId: 'org_a', priority: 1 });
});

test('only a chunk that failed on the way is analysed again at the end', async (t) => {
  let failing = true;
  const { pool, analysis } = await stream(threeSentences, {
    analyze: (pcm, ...rest) =>
      failing && pcm.includes(9) ? Promise.reject(new Error('died')) : analyze(pcm, ...rest),
  });
  await t.throwsAsync(analysis.finish(), { message: 'died' });
  failing = false;
  const analysed = pool.of('analyze').filter(({ pcm }) => !pcm.includes(9)).length;
  t.is((await analysis.finish()).text, 's1 s9 s18');
  t.is(pool.of('analyze').filter(({ pcm }) => !pcm.includes(9)).length, analysed);
});

test('a stream that is given up cancels its jobs', async (t) => {
  const { pool, analysis } = await stream(recording(5, 3));
  t.true(pool.jobs.every(({ options }) => !options.signal!.aborted));
  analysis.abort();
  t.true(pool.jobs.every(({ options }) => options.signal!.aborted));
});

test('a stream in which nobody spoke has no words and is no failure', async (t) => {
  const { pool, analysis } = await stream(new Uint8Array(6 * 2 * sampleRate));
  t.like(await analysis.finish(), { text: '', billableSeconds: 6 });
  t.is(pool.of('analyze').length, 0);
});
