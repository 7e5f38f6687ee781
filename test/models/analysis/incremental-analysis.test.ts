// A stream is analysed while it is recorded: what its end costs, what it returns, and what failed.
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

/**
 * One word per chunk, at the loudest sample; the value of a sample is the second that it lies in.
 */
const analyze: InferencePool['analyze'] = async (pcm, { words }) => {
  const at = pcm.findIndex((sample) => sample !== 0) / sampleRate;
  const word = { word: `s${pcm.find((sample) => sample !== 0)}`, confidence: 1 };
  const spoken = words ? [{ ...word, start: at, end: at + 0.5 }] : [];
  const recognised = { words: spoken, language: 'en', languages: null, english: null };
  return { ...recognised, written: null, scored: [], inferenceMs: 10 };
};

/**
 * Seconds of speech and of silence in turn; the value of each sample of speech is its second, from
 * 1.
 */
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

/** Frames of a quarter of a second, each one analysed before the next one arrives. */
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
    analysis.record(data.subarray(at, at + 8_000));
    await settled();
  }
  return { pool, analysis };
}

const threeSentences = recording(5, 3, 6, 3, 4, 2);

test('what a pause has closed is analysed before the end, which costs no more', async (t) => {
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

test('under load the last chunk is left until it is certain to be closed', async (t) => {
  const { pool, analysis } = await stream(recording(5, 3), { idle: () => false });
  t.is(pool.of('analyze').length, 0);
  t.is((await analysis.finish()).text, 's1');
  t.is(pool.of('analyze').length, 1);
});

test('the jobs of a stream are interactive', async (t) => {
  const { pool, analysis } = await stream(threeSentences);
  await analysis.finish();
  for (const { options } of pool.jobs) t.like(options, { organizationId: 'org_a', priority: 1 });
});

test('only a chunk that failed during the recording is analysed again at the end', async (t) => {
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

test('a stream that is abandoned cancels its jobs', async (t) => {
  const { pool, analysis } = await stream(recording(5, 3));
  t.true(pool.jobs.every(({ options }) => !options.signal!.aborted));
  analysis.abort();
  t.true(pool.jobs.every(({ options }) => options.signal!.aborted));
});

test('a stream without speech has no words and is not a failure', async (t) => {
  const { pool, analysis } = await stream(new Uint8Array(6 * 2 * sampleRate));
  t.like(await analysis.finish(), { text: '', billableSeconds: 6 });
  t.is(pool.of('analyze').length, 0);
});

test('a chunk that begins with less silence as a file is analysed anew', async (t) => {
  const pcm = new Int16Array(6 * sampleRate);
  pcm.fill(1, hopSamples, 3 * sampleRate);
  // Where hops begin the sound is loudest, so that the file has the same.
  for (let at = hopSamples; at < 3 * sampleRate; at += hopSamples) pcm[at] = 1_000;
  const answers: ScriptedAnswers = {
    // The file has no speech in the first hop that has it as a stream.
    voiceActivity: async (samples, options) => {
      const heard = await voiceActivity(samples, options);
      const first = heard.findIndex((probability) => probability > 0);
      return options.heard === null ? heard : heard.fill(0, first, first + 1);
    },
  };
  const { pool, analysis } = await stream(new Uint8Array(pcm.buffer), answers);
  await analysis.finish();
  const [streamed, ...asFile] = pool.of('analyze').map((job) => job.pcm.length);
  t.deepEqual(asFile, [streamed! - hopSamples]);
});

test('scores are those of the whole recording, however fast it arrives', async (t) => {
  const hop = (seconds: number): number => Math.round((seconds * sampleRate) / hopSamples);
  const likely = new Float32Array(hop(18)).fill(0.9, hop(1), hop(15.5));
  // Where the speech may be cut: the best place is known when enough of it has arrived.
  for (const [seconds, probability] of [
    [5, 0.6],
    [9.2, 0.7],
    [10.6, 0.5],
    [11.3, 0.4],
  ] as const) {
    likely[hop(seconds)] = probability;
  }
  const pcm = new Int16Array(likely.length * hopSamples);
  likely.forEach((p, i) => pcm.fill(p * 1_000, i * hopSamples, (i + 1) * hopSamples));
  const data = new Uint8Array(pcm.buffer);
  const answers: ScriptedAnswers = {
    voiceActivity: async (samples) =>
      Float32Array.from({ length: Math.ceil(samples.length / hopSamples) }, (_, i) => {
        return samples[i * hopSamples]! / 1_000;
      }),
    async analyze(samples, chunk, ...rest) {
      const length = (start: number, end: number) => new Float32Array(31).fill(end - start);
      const scored = chunk.spans.map((span) => {
        return { ...span, readings: length(span.start, span.end) };
      });
      const word = { word: 'on', start: 1, end: samples.length / sampleRate - 1, confidence: 1 };
      return { ...(await analyze(samples, chunk, ...rest)), words: [word], scored };
    },
  };
  const scores = {
    ...request,
    task: 'analysis',
    options: { ...request.options, includeLogits: true },
  };
  const options = { request: scores as RecordingRequest };
  const { analysis: slow } = await stream(data, answers, options);
  const pool = scriptedPool(answers);
  const fast = createIncrementalAnalysis({ ...options, pool, organizationId: 'a', affect: null });
  fast.record(data);
  const [one, other] = await Promise.all([slow.finish(), fast.finish()]);
  t.deepEqual(one.segments, other.segments);
  t.true(one.segments.some(({ logits }) => logits !== undefined));
});
